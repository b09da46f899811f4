"""A pipeline at work: stages hand on rows, workers compute them ahead in threads or processes, batches are gathered."""
