"""Parts of the DataLoader: how samples become batches, and the processes that load them."""
