"""Attention in all its forms: training, inference with a KV cache, paged, sparse, deformable."""
