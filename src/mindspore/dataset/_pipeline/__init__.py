"""A running pipeline: stages pass on rows, workers in threads or processes compute them ahead, batches are collated."""
