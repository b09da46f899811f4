"""Operators of reinforcement learning, which MindSpore had up to 2.9: buffers of experience, arrays and queues of Tensors."""
