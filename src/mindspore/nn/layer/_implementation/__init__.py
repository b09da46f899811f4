"""Parts of the layers: bases and classes that the public modules of `nn.layer` gather under MindSpore's paths."""
