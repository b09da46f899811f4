"""Optimizers: five steps each, on fixed Parameters and gradients."""

from __future__ import annotations

from tools.oracle.layer_case import OptimizerCase, optimizer

_NESTEROV = "the kernel of real MindSpore on CPU ignores use_nesterov; GPU and Ascend honour it"
_SLOTS = "the kernel of real MindSpore on CPU ignores update_slots=False; the documentation and GPU honour it"
_GROUPS = "[{'params': [weight], 'lr': 0.2}, {'params': [bias, gamma], 'weight_decay': 0.3}, {'params': [beta]}]"
_ORDERED = (
    "[{'params': [weight, bias]}, {'params': [gamma, beta], 'lr': 0.2}, {'order_params': [beta, bias, weight, gamma]}]"
)
_TABLE = "[0.1, 0.05, 0.2, 0.3, 0.01]"
_SCHEDULE = "nn.ExponentialDecayLR(0.1, 0.5, 2)"
_BUILDS = f"""
nn.Momentum(params, 0.1, 0.9)
nn.Momentum(params, 0.1, 0.9, weight_decay=0.1, loss_scale=4.0)
nn.Momentum(params, {_TABLE}, 0.9)
nn.Momentum(params, Tensor({_TABLE}), 0.9)
nn.Momentum(params, iter({_TABLE}), 0.9)
nn.Momentum(params, Tensor(0.3), 0.9)
nn.Momentum(params, {_SCHEDULE}, 0.9)
nn.Momentum(params, nn.PolynomialDecayLR(0.1, 0.01, 4, 0.5), 0.9)
nn.Momentum({_GROUPS}, 0.1, 0.9, weight_decay=0.01)
nn.Momentum({_GROUPS}, {_TABLE}, 0.9, weight_decay=0.01, loss_scale=2.0)
nn.Momentum({_ORDERED}, 0.1, 0.9)
nn.Momentum([{{'params': [weight, bias], 'lr': {_TABLE}}}, {{'params': [gamma, beta], 'lr': {_SCHEDULE}}}], 0.1, 0.9)
nn.Momentum([{{'params': [weight, bias]}}, {{'params': [gamma, beta], 'lr': {_SCHEDULE}}}], 0.1, 0.9)
nn.Momentum([{{'params': params, 'grad_centralization': True}}], 0.1, 0.9)
nn.Momentum(params, 1, 0.9, weight_decay=1)
nn.SGD(params)
nn.SGD(params, 0.1, 0.9, 0.5)
nn.SGD(params, 0.1, 0.9, nesterov=True)
nn.SGD(params, 0.1, 0.9, weight_decay=0.1, loss_scale=4.0)
nn.SGD(params, 0.1, weight_decay=0.1)
nn.SGD({_GROUPS}, {_SCHEDULE}, 0.9, weight_decay=0.01)
nn.Adam(params)
nn.Adam(params, 0.1, 0.8, 0.9, 1e-3, weight_decay=0.1, loss_scale=4.0)
nn.Adam(params, 0.1, use_nesterov=True)
nn.Adam(params, 0.1, use_amsgrad=True)
nn.Adam(params, 0.1, use_lazy=True)
nn.Adam(params, 0.1, use_offload=True)
nn.Adam(params, 0.1, weight_decay={_SCHEDULE}, loss_scale=2.0)
nn.Adam([{{'params': [weight, gamma], 'weight_decay': {_SCHEDULE}}}, {{'params': [bias, beta], 'lr': 0.2}}], 0.1)
nn.Adam({_GROUPS}, {_TABLE})
nn.AdamOffload(params, 0.1, weight_decay=0.1)
nn.LazyAdam(params, 0.1, use_nesterov=True)
nn.AdamWeightDecay(params)
nn.AdamWeightDecay(params, 0.1, 0.8, 0.9, 1e-3, 0.1)
nn.AdamWeightDecay({_GROUPS}, {_SCHEDULE}, weight_decay=0.1)
nn.AdamWeightDecay(params, 0.1, weight_decay={_SCHEDULE})
nn.RMSProp(params)
nn.RMSProp(params, 0.1, 0.8, 0.7, 1e-3, weight_decay=0.1, loss_scale=2.0)
nn.RMSProp(params, 0.1, 0.8, 0.7, 1e-3, centered=True)
nn.RMSProp({_GROUPS}, {_TABLE})
nn.Adagrad(params)
nn.Adagrad(params, 0.3, 0.1, weight_decay=0.1, loss_scale=2.0)
nn.FTRL(params)
nn.FTRL(params, 0.3, 0.1, -0.4, 0.0, 0.02, weight_decay=0.1, loss_scale=2.0)
nn.ProximalAdagrad(params)
nn.ProximalAdagrad(params, 0.3, 0.1, 0.01, 0.02, weight_decay=0.1, loss_scale=2.0)
nn.ASGD(params)
nn.ASGD(params, 0.1, 0.1, 0.5, 2.0, weight_decay=0.1)
nn.ASGD({_GROUPS}, {_TABLE})
nn.Rprop(params)
nn.Rprop(params, 0.1, (0.3, 1.5), (0.05, 0.3), weight_decay=0.1)
nn.Rprop({_GROUPS}, {_TABLE})
nn.Adadelta(params)
nn.Adadelta(params, 0.5, 0.8, 1e-2, weight_decay=0.1, loss_scale=2.0)
nn.AdaMax(params)
nn.AdaMax(params, 0.1, 0.8, 0.9, 1e-3, weight_decay=0.1, loss_scale=2.0)
nn.AdaFactor(params)
nn.AdaFactor(params, warmup_init=True, weight_decay=0.1)
nn.AdaFactor(params, learning_rate=0.1, relative_step=False, scale_parameter=False, clip_threshold=0.5, weight_decay=0.1)
nn.AdaFactor(params, learning_rate={_TABLE}, relative_step=False, decay_rate=0.5, loss_scale=2.0)
nn.AdaFactor(params, compression=True)
"""
_ERRORS = """
nn.Momentum([], 0.1, 0.9)
nn.Momentum(None, 0.1, 0.9)
nn.Momentum(weight, 0.1, 0.9)
nn.Momentum([Tensor([1.0])], 0.1, 0.9)
nn.Momentum([weight, {'params': [bias]}], 0.1, 0.9)
nn.Momentum(params, -0.1, 0.9)
nn.Momentum(params, None, 0.9)
nn.Momentum(params, Tensor([[0.1]]), 0.9)
nn.Momentum(params, 0.1, -0.9)
nn.Momentum(params, 0.1, 1)
nn.Momentum(params, 0.1, 'a')
nn.Momentum(params, 0.1, 0.9, weight_decay=-0.1)
nn.Momentum(params, 0.1, 0.9, weight_decay='a')
nn.Momentum(params, 0.1, 0.9, loss_scale=0.0)
nn.Momentum(params, 0.1, 0.9, use_nesterov=1)
nn.Momentum([{'params': params, 'foo': 1}], 0.1, 0.9)
nn.Momentum([{'lr': 0.1}], 0.1, 0.9)
nn.Momentum([{'params': []}], 0.1, 0.9)
nn.Momentum([{'params': params}, {'params': params}], 0.1, 0.9)
nn.Momentum([{'params': params}, {'order_params': [weight]}], 0.1, 0.9)
nn.Momentum([{'params': params}, {'order_params': params, 'lr': 0.1}], 0.1, 0.9)
nn.Momentum([{'params': params, 'weight_decay': -1.0}], 0.1, 0.9)
nn.Momentum([{'params': params, 'lr': -1.0}], 0.1, 0.9)
nn.Momentum([{'params': params, 'grad_centralization': 1}], 0.1, 0.9)
nn.Momentum([weight, weight], 0.1, 0.9)
nn.SGD(params, 0.1, momentum=-0.1)
nn.SGD(params, 0.1, momentum='a')
nn.SGD(params, 0.1, dampening=-0.1)
nn.SGD(params, 0.1, nesterov=True)
nn.SGD(params, 0.1, nesterov=1)
nn.SGD(params, 0.1, weight_decay=nn.ExponentialDecayLR(0.1, 0.5, 2))
nn.Adam(params, beta1=1.0)
nn.Adam(params, beta1=1)
nn.Adam(params, eps=0.0)
nn.Adam(params, use_locking=1)
nn.Adam(params, use_lazy=True, use_offload=True)
nn.AdamWeightDecay(params, beta2=1.0)
nn.Lamb(params, 0.1, eps=0.0)
nn.RMSProp(params, decay=-0.1)
nn.RMSProp(params, epsilon=0.0)
nn.Adagrad(params, accum=-0.1)
nn.FTRL(params, lr_power=0.1)
nn.FTRL(params, learning_rate=[0.1, 0.2])
nn.ProximalAdagrad(params, l1=-0.1)
nn.ASGD(params, lambd=1)
nn.Rprop(params, etas=(0.5,))
nn.Rprop(params, etas=(1.5, 1.2))
nn.Adadelta(params, rho=1.5)
nn.AdaMax(params, eps=0.0)
nn.AdaFactor(params, learning_rate=0.1)
nn.AdaFactor(params, decay_rate=2.0)
nn.LARS(nn.Momentum(params, 0.1, 0.9), epsilon=1)
"""
_SHRINK = "the kernel of real MindSpore on CPU takes the sign of another value than the documented formula"
_UNNAMED = "real MindSpore keeps one Parameter in place of the averages, named by a counter"

_BY_GROUP = "[{'params': [weight], 'lr': 0.2}, {'params': [bias, gamma], 'weight_decay': 0.3}, {'params': [beta]}]"
_EXPERIMENTAL = f"""
optim.SGD(params, 0.1)
optim.SGD(params, 0.1, 0.9, 0.5, 0.1)
optim.SGD({_BY_GROUP}, 0.1, 0.9, nesterov=True)
optim.SGD(params, 0.1, maximize=True)
optim.Adam(params)
optim.Adam(params, 0.1, (0.8, 0.9), 1e-3, 0.1)
optim.Adam({_BY_GROUP}, 0.1)
optim.Adam(params, 0.1, maximize=True)
optim.AdamW(params, 0.1)
optim.AdamW({_BY_GROUP}, 0.1, (0.8, 0.9), 1e-3, 0.1, amsgrad=True)
optim.Adamax(params, 0.1, (0.8, 0.9), 1e-3, 0.1)
optim.NAdam(params, 0.1, (0.8, 0.9), 1e-3, 0.1, 0.3)
optim.NAdam({_BY_GROUP}, 0.1)
optim.RAdam(params, 0.1, (0.8, 0.9), 1e-3, 0.1)
optim.RAdam(params, 0.1)
optim.RMSprop(params)
optim.RMSprop({_BY_GROUP}, 0.1, 0.8, 1e-3, 0.1, 0.7, True)
optim.Rprop(params, 0.1, (0.3, 1.5), (0.05, 0.3))
optim.ASGD(params, 0.1, 0.1, 0.5, 2.0, 0.1)
optim.Adadelta(params, 0.5, 0.8, 1e-2, 0.1)
optim.Adagrad(params, 0.1, 0.2, 0.1, 0.3, 1e-3)
"""
_EXPERIMENTAL_ERRORS = """
optim.SGD([], 0.1)
optim.SGD(None, 0.1)
optim.SGD(weight, 0.1)
optim.SGD(params, -0.1)
optim.SGD(params, 0.1, nesterov=True)
optim.SGD(params, 0.1, momentum='a')
optim.SGD([{'params': [weight]}, {'params': [weight]}], 0.1)
optim.SGD([{'lr': 0.1}], 0.1)
optim.Adam(params, betas=(1.0, 0.9))
optim.Adam(params, eps=-1.0)
optim.Adam(params, weight_decay=-1.0)
"""
_AMSGRAD = "real MindSpore keeps the largest v, as documented, but divides by v"
_IMPORT = "from mindspore.experimental import optim; "

CASES: list[OptimizerCase] = [
    *[optimizer(build) for build in _BUILDS.strip().splitlines()],
    optimizer("nn.Momentum(params, 0.1, 0.9, use_nesterov=True)", waiver=_NESTEROV),
    optimizer("nn.Adagrad(params, update_slots=False)", waiver=_SLOTS),
    optimizer("nn.FTRL(params, l1=0.01)", waiver=_SHRINK),
    optimizer("nn.AdaFactor(params, beta1=0.0)", waiver=_UNNAMED),
    optimizer("nn.Momentum(params, 0.1, 0.9)", gradient_dtype="float16"),
    optimizer("nn.Adam(params, 0.1)", gradient_dtype="float16"),
    optimizer("nn.AdamWeightDecay(params, 0.1, weight_decay=0.1)", gradient_dtype="float16"),
    optimizer("nn.Momentum(params, 0.1, 0.9, weight_decay=0.1, loss_scale=2.0)", dtype="float16", tolerance=1e-2),
    optimizer("nn.Adam(params, 0.1)", dtype="float16", tolerance=1e-2),
    optimizer("nn.SGD(params, 0.1)", dtype="float16", gradient_dtype="float32", tolerance=1e-2),
    *[optimizer(build, raises=True) for build in _ERRORS.strip().splitlines()],
    *[optimizer(_IMPORT + build) for build in _EXPERIMENTAL.strip().splitlines()],
    optimizer(_IMPORT + "optim.Adam(params, 0.2, amsgrad=True)", waiver=_AMSGRAD),
    *[optimizer(_IMPORT + build, raises=True) for build in _EXPERIMENTAL_ERRORS.strip().splitlines()],
]
