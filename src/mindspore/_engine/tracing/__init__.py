"""Running the user's Python with stand-ins: which Cells and Tensors a trace met, and the kernel that comes out of it."""
