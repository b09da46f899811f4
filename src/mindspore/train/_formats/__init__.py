"""File formats: MindSpore's `.ckpt`, safetensors, PyTorch's `.pth`, strategy files, exported graphs."""
