"""The nodes of a pipeline: what each transformation of a dataset does when it runs."""
