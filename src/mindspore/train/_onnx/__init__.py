"""Reading ONNX files: their messages, the graph as steps, and one table of operators."""
