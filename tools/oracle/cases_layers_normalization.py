"""Normalization layers."""

from __future__ import annotations

from tools.oracle.case import array, f32, i32
from tools.oracle.layer_case import AnyLayerCase, layer, layers

CASES: list[AnyLayerCase] = [
    layer("nn.BatchNorm2d(3)", f32(2, 3, 2, 2)),
    layer("nn.BatchNorm2d(3)", f32(2, 3, 2, 2), train=True),
    layer("nn.BatchNorm2d(3, eps=1e-3, momentum=0.6)", f32(2, 3, 2, 2), train=True),
    layer("nn.BatchNorm2d(3, momentum=1)", f32(2, 3, 2, 2), train=True),
    layer("nn.BatchNorm2d(3, affine=False)", f32(2, 3, 2, 2), train=True),
    layer("nn.BatchNorm2d(3, use_batch_statistics=True)", f32(2, 3, 2, 2)),
    layer("nn.BatchNorm2d(3, use_batch_statistics=False)", f32(2, 3, 2, 2), train=True),
    layer("nn.BatchNorm2d(3, gamma_init='normal', beta_init='uniform', moving_mean_init='normal')", f32(2, 3, 2, 2)),
    layer("nn.BatchNorm2d(3, gamma_init=2, moving_var_init=Tensor([1.0, 2.0, 3.0]))", f32(2, 3, 2, 2)),
    layer("nn.BatchNorm2d(3)", array("float16", 2, 3, 2, 2)),
    layer("nn.BatchNorm2d(3)", array("float16", 2, 3, 2, 2), train=True, tolerance=2e-2),
    layer("nn.BatchNorm2d(3, dtype=ms.float16)"),
    layer("nn.BatchNorm1d(3)", f32(4, 3)),
    layer("nn.BatchNorm1d(3)", f32(4, 3), train=True),
    layer("nn.BatchNorm1d(3)", f32(2, 3, 4), train=True),
    layer("nn.BatchNorm3d(3)", f32(2, 3, 2, 2, 2)),
    layer("nn.BatchNorm3d(3, momentum=0.8)", f32(2, 3, 2, 2, 2), train=True),
    layer("nn.SyncBatchNorm(3)", f32(2, 3, 2, 2), train=True),
    layer("nn.SyncBatchNorm(3, process_groups=[[0]])", f32(2, 3)),
    layer("nn.LayerNorm([4])", f32(2, 3, 4)),
    layer("nn.LayerNorm((4,), epsilon=1e-3)", f32(2, 4)),
    layer("nn.LayerNorm((3, 4), 1, 1)", f32(2, 3, 4)),
    layer("nn.LayerNorm((4,), begin_norm_axis=1)", f32(2, 3, 4)),
    layer("nn.LayerNorm([4], gamma_init='normal', beta_init='uniform')", array("float16", 2, 4), tolerance=2e-2),
    layer("nn.LayerNormExt(3)"),
    layer("nn.LayerNormExt([3, 4], bias=False)"),
    layer("nn.LayerNormExt((3, 4), 1e-3, elementwise_affine=False)"),
    layer("nn.GroupNorm(2, 4)", f32(2, 4, 2, 2)),
    layer("nn.GroupNorm(4, 4, eps=1e-3, affine=False)", f32(2, 4, 3)),
    layer("nn.GroupNorm(2, 4, gamma_init='normal', beta_init='ones')", f32(3, 4)),
    # real MindSpore has no kernel for instance normalization on CPU: only what construction shows is compared
    *layers(
        """
        nn.InstanceNorm1d(3)
        nn.InstanceNorm2d(3, affine=False)
        nn.InstanceNorm2d(3, momentum=1.0, gamma_init=Tensor([1.0, 2.0, 3.0]))
        nn.InstanceNorm3d(3, 1e-3, gamma_init='normal')
        """
    ),
    layer("nn.BatchNorm2d(3)", f32(2, 3, 4), raises=True),
    layer("nn.BatchNorm2d(3)", f32(2, 4, 4, 4), raises=True),
    layer("nn.BatchNorm2d(3)", i32(2, 3, 4, 4), raises=True),
    layer("nn.BatchNorm1d(3)", f32(2, 3, 4, 5), raises=True),
    layer("nn.BatchNorm3d(3)", f32(2, 3, 4, 5), raises=True),
    layer("nn.SyncBatchNorm(3)", f32(2, 3, 4), raises=True),
    layer("nn.InstanceNorm2d(3)", f32(2, 3, 4), raises=True),
    layer("nn.LayerNorm([3])", f32(2, 4), raises=True),
    layer("nn.GroupNorm(2, 4)", f32(2, 6, 2, 2), raises=True),
    *layers(
        """
        nn.BatchNorm2d(0)
        nn.BatchNorm2d(1.5)
        nn.BatchNorm2d(3, momentum=1.5)
        nn.BatchNorm2d(3, momentum=-1)
        nn.BatchNorm2d(3, momentum='a')
        nn.BatchNorm2d(3, affine=1)
        nn.BatchNorm2d(3, use_batch_statistics=1)
        nn.BatchNorm2d(3, data_format='X')
        nn.BatchNorm1d(3, gamma_init=Tensor([1.0, 2.0]))
        nn.SyncBatchNorm(3, momentum=1.5)
        nn.SyncBatchNorm(3, process_groups=1)
        nn.SyncBatchNorm(3, process_groups=[1])
        nn.LayerNorm(3)
        nn.LayerNorm([])
        nn.LayerNorm([0])
        nn.GroupNorm(3, 4)
        nn.GroupNorm(0, 4)
        nn.GroupNorm(2.0, 4)
        nn.GroupNorm(2, 4, affine=1)
        nn.GroupNorm(2, 4, eps='a')
        nn.InstanceNorm2d(0)
        nn.InstanceNorm2d(3.0)
        nn.InstanceNorm2d(3, affine=1)
        nn.InstanceNorm2d(3, eps=-1.0)
        nn.InstanceNorm2d(3, momentum=2.0)
        """,
        raises=True,
    ),
]
