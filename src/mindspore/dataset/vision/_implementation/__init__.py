"""The image transforms behind the public modules of `dataset.vision`, by what they do."""
