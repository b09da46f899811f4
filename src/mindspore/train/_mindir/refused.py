"""Primitives that a file may not ask for: they run code of the program, write files, or wait for other processes' data."""

REFUSED = frozenset(
    {
        "Primitive", "PrimitiveWithCheck", "PrimitiveWithInfer",  # nothing by themselves
        "Custom", "PyFunc", "PyExecute", "Morph", "HookBackward", "InsertGradientOf",
        "TensorDump", "DumpGradient",
        "GetNext", "Push", "Pull", "Send", "Receive", "BatchISendIRecv",
    }
)  # fmt: skip
