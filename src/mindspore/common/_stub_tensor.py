"""``mindspore.common._stub_tensor``: the class of results that were not computed yet in earlier versions."""

__all__ = ["StubTensor"]


class StubTensor:
    """Nothing is an instance of it: every result is a Tensor, which waits for its value by itself."""
