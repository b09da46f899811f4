"""Names and module paths that programs still use and that have moved or gone since."""
