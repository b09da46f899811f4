"""Attention, Transformer layers, layers over time steps, and layers for thor."""

from __future__ import annotations

from tools.oracle.case import array, f32, literal, mask
from tools.oracle.layer_case import AnyLayerCase, layer, layers

_QUERY = f32(3, 2, 4)
_KEY = f32(2, 2, 4)
_PADDING = literal([[False, True], [False, False]], "bool")
_LATER = literal([[False, True], [False, False], [False, False]], "bool")
_ROUGH = 1e-4  # many products in a row

CASES: list[AnyLayerCase] = [
    layer("nn.MultiheadAttention(4, 2)", _QUERY, call="net(x, x, x)", tolerance=_ROUGH),
    layer("nn.MultiheadAttention(4, 2)", _QUERY, _KEY, _KEY, tolerance=_ROUGH),
    layer(
        "nn.MultiheadAttention(4, 2, 0.5, batch_first=True)", f32(2, 3, 4), f32(2, 5, 4), f32(2, 5, 4), tolerance=_ROUGH
    ),
    layer("nn.MultiheadAttention(4, 2)", f32(3, 4), f32(5, 4), f32(5, 4), tolerance=_ROUGH),
    layer("nn.MultiheadAttention(4, 2, kdim=3, vdim=5)", _QUERY, f32(2, 2, 3), f32(2, 2, 5), tolerance=_ROUGH),
    layer("nn.MultiheadAttention(4, 2, has_bias=False)", _QUERY, _KEY, _KEY, tolerance=_ROUGH),
    layer(
        "nn.MultiheadAttention(4, 2, add_bias_kv=True, add_zero_attn=True)",
        _QUERY,
        _KEY,
        _KEY,
        padding=_PADDING,
        later=_LATER,
        call="net(x, y, z, padding, True, later)",
        tolerance=_ROUGH,
    ),
    layer(
        "nn.MultiheadAttention(4, 2)",
        _QUERY,
        _KEY,
        _KEY,
        padding=_PADDING,
        call="net(x, y, z, padding)",
        tolerance=_ROUGH,
    ),
    layer(
        "nn.MultiheadAttention(4, 2)",
        _QUERY,
        _KEY,
        _KEY,
        f32(4, 3, 2),
        padding=f32(2, 2),
        tolerance=_ROUGH,
        call="net(x, y, z, padding, attn_mask=w)",
    ),
    layer("nn.MultiheadAttention(4, 2)", _QUERY, call="net(x, x, x, need_weights=False)", tolerance=_ROUGH),
    layer("nn.MultiheadAttention(4, 2)", _QUERY, call="net(x, x, x, average_attn_weights=False)", tolerance=_ROUGH),
    layer("nn.MultiheadAttention(4, 2, dtype=ms.float16)"),
    layer("nn.TransformerEncoderLayer(4, 2, 8)", _QUERY, tolerance=_ROUGH),
    layer(
        "nn.TransformerEncoderLayer(4, 2, 8, 0.0, 'gelu', 1e-3, True, True)", f32(2, 3, 4), train=True, tolerance=_ROUGH
    ),
    layer(
        "nn.TransformerDecoderLayer(4, 2, 8)",
        _QUERY,
        _KEY,
        later=_LATER,
        padding=_PADDING,
        tolerance=_ROUGH,
        call="net(x, y, memory_mask=later, memory_key_padding_mask=padding)",
    ),
    layer("nn.TransformerDecoderLayer(4, 2, 8, norm_first=True, activation=ops.gelu)", _QUERY, _KEY, tolerance=_ROUGH),
    layer("nn.TransformerEncoder(nn.TransformerEncoderLayer(4, 2, 8), 2)", _QUERY, tolerance=_ROUGH),
    layer(
        "nn.TransformerDecoder(nn.TransformerDecoderLayer(4, 2, 8), 1, nn.LayerNorm((4,)))",
        _QUERY,
        _KEY,
        tolerance=_ROUGH,
    ),
    layer("nn.Transformer(4, 2, 2, 1, 8)", _QUERY, _KEY, tolerance=_ROUGH),
    layer("nn.TimeDistributed(nn.Dense(3, 2), 1)", f32(2, 4, 3)),
    layer("nn.TimeDistributed(nn.Dense(3, 2), 1, 0)", f32(2, 4, 3)),
    layer("nn.TimeDistributed(nn.Dense(3, 2), 2, 0)", f32(2, 4, 5, 3)),
    layer("nn.TimeDistributed(nn.Dense(3, 2), 0, 2)", f32(2, 4, 5, 3)),
    layer("nn.TimeDistributed(nn.Dense(3, 2), -3, 2)", f32(2, 4, 5, 3)),
    layer("nn.TimeDistributed(nn.Flatten(), 1, reshape_with_axis=0)", f32(2, 4, 5, 3)),
    layer("nn.TimeDistributed(ops.ReLU(), 0)", f32(2, 3, 2)),
    layer("nn.DenseThor(3, 4)", f32(5, 3)),
    layer("nn.DenseThor(3, 4, has_bias=False, activation='relu')", f32(5, 3)),
    # real MindSpore has no kernel for what this one notes on CPU
    layer("nn.Conv2dThor(3, 4, (2, 3), 2, 'pad', 1, has_bias=True)"),
    layer("nn.EmbeddingThor(5, 4)", literal([[0, 1], [1, 3], [2, 2]], "int32")),
    layer("nn.EmbeddingThor(5, 4, True)", literal([0, 1], "int32")),
    layer("nn.EmbeddingLookupThor(5, 4)", literal([0, 1], "int32"), gradient=False),  # there it is sparse
    layer("nn.EmbeddingLookupThor(5, 4, target='DEVICE', sparse=False)", literal([[0, 1], [1, 3], [2, 2]], "int32")),
    layer("nn.MultiheadAttention(4, 2)", f32(3, 2, 3), _KEY, _KEY, raises=True),
    layer("nn.MultiheadAttention(4, 2)", _QUERY, _QUERY, _KEY, raises=True),
    layer("nn.MultiheadAttention(4, 2)", _QUERY, f32(3, 4), _KEY, raises=True),
    layer("nn.MultiheadAttention(4, 2)", f32(1, 3, 2, 4), _KEY, _KEY, raises=True),
    layer("nn.MultiheadAttention(4, 2)", _QUERY, f32(3, 3, 4), call="net(x, y, y)", raises=True),
    layer("nn.MultiheadAttention(4, 2)", _QUERY, f32(3, 4), call="net(x, x, x, attn_mask=y)", raises=True),
    layer("nn.MultiheadAttention(4, 2)", _QUERY, array("int32", 3, 3), call="net(x, x, x, attn_mask=y)", raises=True),
    layer("nn.MultiheadAttention(4, 2)", _QUERY, mask(2, 4), call="net(x, x, x, y)", raises=True),
    layer("nn.Transformer(4, 2, 1, 1, 8)", f32(3, 2, 3), _KEY, raises=True),
    layer("nn.Transformer(4, 2, 1, 1, 8)", f32(3, 3, 4), _KEY, raises=True),
    *layers(
        """
        nn.MultiheadAttention(4, 3)
        nn.MultiheadAttention(0, 3)
        nn.MultiheadAttention(4, 2, has_bias=1)
        nn.TransformerEncoderLayer(4, 3, 8)
        nn.TransformerEncoderLayer(4, 2, 0)
        nn.TransformerEncoderLayer(4, 2, 8, 1.5)
        nn.TransformerEncoderLayer(4, 2, 8, activation='foo')
        nn.TransformerEncoderLayer(4, 2, 8, activation=3)
        nn.TransformerEncoder(nn.TransformerEncoderLayer(4, 2, 8), 2.0)
        nn.TimeDistributed(3, 1)
        nn.TimeDistributed(nn.ReLU(), 'a')
        nn.TimeDistributed(nn.ReLU(), 1, 'a')
        nn.DenseThor(0, 4)
        nn.DenseThor(3, 4, Tensor([1.0]))
        nn.Conv2dThor(3, 4, 0)
        nn.EmbeddingLookupThor(5, 4, sparse=False)
        """,
        raises=True,
    ),
]
