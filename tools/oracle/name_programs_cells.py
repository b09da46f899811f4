"""Programs about attributes, dicts of Cells, shared members, Parameters and the Cells around networks; `name_execute` runs them."""

CELLS = """
## dict of Cells
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.layers = nn.CellDict({"conv": nn.Conv2d(1, 2, 1), "norm": nn.BatchNorm2d(2)})
net = Net()

## dict assigned empty and filled
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.layers = nn.CellDict()
        self.layers["first"] = dense()
        self.layers["second"] = dense()
        self.layers.update({"third": dense()})
net = Net()

## dict with members filled
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.layers = nn.CellDict([["first", dense()]])
        self.layers["second"] = dense()
        self.layers.update([("third", dense()), ("first", nn.Dense(1, 2))])
net = Net()

## dict updated with a dict of Cells
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.layers = nn.CellDict({"first": dense()})
        self.layers.update(nn.CellDict({"second": dense()}))
net = Net()
seen.append([list(net.layers.keys()), len(net.layers.values()), [key for key, _ in net.layers.items()]])

## dict popped and cleared
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.layers = nn.CellDict({"first": dense(), "second": dense(), "third": dense()})
net = Net()
popped = net.layers.pop("first")
seen.append(names(popped))
del net.layers["third"]
seen.append(names(net))
net.layers["fourth"] = nn.Dense(1, 2)
seen.append(names(net))
net.layers.clear()
net.layers["fifth"] = dense()

## dict whose first members have no Parameters
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.layers = nn.CellDict({"first": nn.ReLU()})
        self.layers["second"] = dense()
        self.layers["third"] = dense()
net = Net()

## dict without prefix
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.layers = nn.CellDict({"first": dense()}, auto_prefix=False)
        seen.append(names(self))
        self.layers["second"] = dense()
net = Net()

## dict by itself
net = nn.CellDict({"first": dense()})
net["second"] = dense()
net["first"] = nn.Dense(1, 2)
seen.append(["first" in net, len(net), list(net)])

## dict refuses
seen.append(fails(lambda: nn.CellDict({"a": 1})))
seen.append(fails(lambda: nn.CellDict({1: dense()})))
seen.append(fails(lambda: nn.CellDict({"": dense()})))
seen.append(fails(lambda: nn.CellDict({"a.b": dense()})))
seen.append(fails(lambda: nn.CellDict({"a": nn.CellList([dense()])})))
seen.append(fails(lambda: nn.CellDict({"a": nn.SequentialCell([dense()])})))
seen.append(fails(lambda: nn.CellDict({"a": nn.CellDict()})))
seen.append(fails(lambda: nn.CellDict({"update": dense()})))
seen.append(fails(lambda: nn.CellDict({"a": dense()}, {"b": dense()})))
seen.append(fails(lambda: nn.CellDict([("a", dense(), 1)])))
seen.append(fails(lambda: nn.CellDict([dense()])))
seen.append(fails(lambda: nn.CellDict(3)))
seen.append(fails(lambda: nn.CellDict({"a": None})))
seen.append(fails(lambda: nn.CellDict()["a"]))
seen.append(fails(lambda: nn.CellDict().pop("a")))
seen.append(fails(lambda: nn.CellDict().__delitem__("a")))

## dict key with a space
net = nn.CellDict({"a b": dense()})

## dict in a list
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.layers = nn.CellList([nn.CellDict({"a": dense(), "b": dense()})])
        self.layers.append(nn.CellDict({"a": dense()}))
        self.layers[0]["c"] = dense()
net = Net()

## attributes
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 2, 3, has_bias=True)
        self.norm = nn.BatchNorm2d(2)
        self.scale = weight()
        self.dense = nn.Dense(2, 3)
net = Net()
seen.append([names(net.trainable_params()), names(net.untrainable_params())])
seen.append([names(net.trainable_params(recurse=False)), names(net.get_parameters(expand=False))])
seen.append(list(net.parameters_dict()))
seen.append(list(net.parameters_dict(recurse=False)))
seen.append([path for path, _ in net.parameters_and_names(name_prefix="pre")])
seen.append([path for path, _ in net.parameters_and_names(name_prefix="pre", expand=False)])
seen.append([path for path, _ in net.cells_and_names(name_prefix="pre")])
seen.append([type(cell).__name__ for cell in net.cells()])
seen.append(list(net.name_cells()))
seen.append(list(net.parameters_broadcast_dict()))

## Parameters with names of their own
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.a = weight("alpha")
        self.b = weight("beta.gamma")
        self.c = weight()
net = Net()

## Parameters with names of their own in an inner Cell
class Inner(nn.Cell):
    def __init__(self):
        super().__init__()
        self.a = weight("alpha")
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.inner = Inner()
        self.a = weight("alpha")
net = Net()

## two Parameters of one name
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.a = weight("same")
        self.b = weight("same")
net = Net()
seen.append(fails(net.check_names))

## two Parameters of one name, told
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.a = weight("same")
        self.b = weight("same")
net = Net()
net.check_names()

## two Parameters of one name, called
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.a = weight("same")
        self.b = weight("same")
    def construct(self, x):
        return x + self.a + self.b
net = Net()
net(Tensor([1.0], ms.float32))

## two Parameters of one name in an optimizer
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.a = weight("same")
        self.b = weight("same")
net = Net()
nn.Adam(net.trainable_params())

## two Parameters of one name in a tuple
ParameterTuple([weight("same"), weight("same")])

## one Parameter twice in a tuple
w = weight("w")
seen.append(len(ParameterTuple([w, w])))

## names given up by assigning again
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.a = weight()
        self.a = weight()
        self.b = weight(size=2)
        self.b = weight("other", 3)
net = Net()

## Parameter shared by two attributes
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.a = weight()
        self.b = self.a
net = Net()

## Parameter shared by two Cells
class Inner(nn.Cell):
    def __init__(self, shared):
        super().__init__()
        self.w = shared
        self.own = weight()
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        shared = weight()
        self.first = Inner(shared)
        self.second = Inner(shared)
net = Net()

## weights tied between an embedding and a head
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(3, 2)
        self.head = nn.Dense(2, 3, has_bias=False)
        self.head.weight = self.embedding.embedding_table
net = Net()

## weights tied the other way
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(3, 2)
        self.head = nn.Dense(2, 3, has_bias=False)
        self.embedding.embedding_table = self.head.weight
class Outer(nn.Cell):
    def __init__(self):
        super().__init__()
        self.model = Net()
net = Outer()

## one Cell under two names
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.first = dense()
        self.second = self.first
net = Net()
seen.append(list(net.name_cells()))

## one Cell at two depths
class Inner(nn.Cell):
    def __init__(self, shared):
        super().__init__()
        self.inside = shared
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.outside = dense()
        self.inner = Inner(self.outside)
net = Net()

## one Cell in two networks
shared = dense()
class Net(nn.Cell):
    def __init__(self, name):
        super().__init__()
        setattr(self, name, shared)
first = Net("first")
seen.append(names(first))
second = Net("second")
seen.append(names(first))
net = second

## Cell replaced
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.fc = dense()
        self.other = dense()
net = Net()
net.fc = nn.Dense(1, 2)

## Cell replaced deep inside
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.body = nn.SequentialCell(dense(), dense())
        self.head = dense()
class Outer(nn.Cell):
    def __init__(self):
        super().__init__()
        self.model = Net()
net = Outer()
net.model.head = nn.Dense(1, 2)
net.model.body[0] = nn.Dense(1, 3)

## None, then a Cell
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.down = None
        self.fc = dense()
        self.down = dense()
net = Net()

## Cell, then None
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.down = dense()
        self.fc = dense()
        self.down = None
net = Net()
seen.append(list(net.name_cells()))
seen.append(net.down is None)

## Cell, then None, then a Cell
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.down = dense()
        self.fc = dense()
        self.down = None
        self.down = nn.Dense(1, 2)
net = Net()

## Parameter, then None, then a Parameter
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.bias = None
        self.a = weight()
        self.bias = weight(size=2)
        self.a = None
net = Net()
seen.append(net.a is None)

## Cell assigned after it was made part of another
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.body = nn.Cell()
        self.body.fc = dense()
        self.body.inner = nn.Cell()
        self.body.inner.fc = dense()
        self.body.inner.w = weight()
net = Net()

## Parameter assigned after its Cell was made part of another
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.body = nn.Cell()
        self.body.w = weight()
net = Net()
net.body.v = weight()

## plain list of Cells
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.layers = [dense(), dense()]
        self.pair = (dense(), dense())
        self.table = {"a": dense()}
net = Net()
seen.append([type(net.layers).__name__, type(net.pair).__name__, type(net.table).__name__])

## plain list of Parameters
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.weights = [weight("a"), weight("b")]
        self.pair = (weight("c"), weight("d"))
net = Net()

## tuple of Parameters
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.weights = ParameterTuple((weight("a"), weight("b")))
net = Net()

## tuple of Parameters in an inner Cell
class Inner(nn.Cell):
    def __init__(self):
        super().__init__()
        self.weights = ParameterTuple((weight("a"), weight("b")))
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.inner = Inner()
net = Net()

## tuple of Parameters without names
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.weights = ParameterTuple((weight(), weight()))
net = Net()

## tuple of Parameters that are attributes too
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.a = weight()
        self.b = weight()
        self.weights = ParameterTuple((self.a, self.b))
net = Net()

## tuple of Parameters of an inner Cell
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.fc = dense()
        self.weights = ParameterTuple(self.fc.trainable_params())
net = Net()

## tuple of Parameters assigned before the Cell it is from
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        fc = dense()
        self.weights = ParameterTuple(fc.trainable_params())
        self.fc = fc
net = Net()

## copies of a tuple of Parameters
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.fc = dense()
        self.moments = ParameterTuple(self.fc.trainable_params()).clone("moments", init="zeros")
class Outer(nn.Cell):
    def __init__(self):
        super().__init__()
        self.net = Net()
net = Outer()

## before super().__init__
class Net(nn.Cell):
    def __init__(self):
        self.fc = dense()
        super().__init__()
net = Net()

## Parameter before super().__init__
class Net(nn.Cell):
    def __init__(self):
        self.w = weight()
        super().__init__()
net = Net()

## number before super().__init__
class Net(nn.Cell):
    def __init__(self):
        self.size = 3
        super().__init__()
        self.fc = nn.Dense(1, self.size)
net = Net()

## two bases
class Left(nn.Cell):
    def __init__(self):
        super().__init__()
        self.left = dense()
class Right(nn.Cell):
    def __init__(self):
        super().__init__()
        self.right = dense()
class Net(Left, Right):
    def __init__(self):
        super().__init__()
        self.own = dense()
net = Net()

## __init__ called twice
class Base(nn.Cell):
    def __init__(self):
        super().__init__()
        self.base = dense()
class Net(Base):
    def __init__(self):
        super().__init__()
        self.own = dense()
        Base.__init__(self)
net = Net()

## setattr
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        for place in range(2):
            setattr(self, f"layer{place}", dense())
        self.__setattr__("last", dense())
net = Net()
setattr(net, "after", nn.Dense(1, 2))

## child put in
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.insert_child_to_cell("a", dense())
        self.insert_child_to_cell("b", nn.SequentialCell(dense()))
net = Net()
class Outer(nn.Cell):
    def __init__(self):
        super().__init__()
        self.net = net
seen.append(names(net))
net = Outer()

## child put in where something is
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.fc = dense()
        self.w = weight()
        self.n = 3
net = Net()
seen.append(fails(lambda: net.insert_child_to_cell("fc", dense())))
seen.append(fails(lambda: net.insert_child_to_cell("w", dense())))
seen.append(fails(lambda: net.insert_child_to_cell("n", dense())))
seen.append(fails(lambda: net.insert_child_to_cell("a.b", dense())))
seen.append(fails(lambda: net.insert_child_to_cell("", dense())))
seen.append(fails(lambda: net.insert_child_to_cell(3, dense())))
seen.append(fails(lambda: net.insert_child_to_cell("number", 3)))
seen.append(fails(lambda: net.insert_child_to_cell("none", None)))
seen.append(fails(lambda: net.insert_child_to_cell("construct", dense())))

## Parameter put in
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.insert_param_to_cell("a", weight())
        self.insert_param_to_cell("b", weight("other"))
        self.insert_param_to_cell("c.d", weight(), check_name_contain_dot=False)
net = Net()
seen.append(fails(lambda: net.insert_param_to_cell("a.b", weight())))
seen.append(fails(lambda: net.insert_param_to_cell("", weight())))
seen.append(fails(lambda: net.insert_param_to_cell(3, weight())))
seen.append(fails(lambda: net.insert_param_to_cell("construct", weight())))
seen.append(fails(lambda: net.insert_param_to_cell("number", 3)))
seen.append(fails(lambda: net.insert_param_to_cell("none", None)))
seen.append(fails(lambda: net.insert_param_to_cell("a", weight())))

## names clash between kinds
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.fc = dense()
        self.w = weight()
        self.n = 3
net = Net()
seen.append(fails(lambda: setattr(net, "fc", weight())))
seen.append(fails(lambda: setattr(net, "fc", 3)))
seen.append(fails(lambda: setattr(net, "w", dense())))
seen.append(fails(lambda: setattr(net, "w", 3)))
seen.append(fails(lambda: setattr(net, "n", weight())))
seen.append(fails(lambda: setattr(net, "n", dense())))

## attribute deleted
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.fc = dense()
        self.w = weight()
        self.last = dense()
        del self.fc
        del self.w
net = Net()
seen.append(fails(lambda: delattr(net, "fc")))

## names updated
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.fc = dense()
        self.w = weight("own")
net = Net()
net.update_parameters_name("pre.")
seen.append(names(net))
net.update_parameters_name("pre.")
seen.append(names(net))
net.update_parameters_name("x", recurse=False)
seen.append(names(net))
net.update_parameters_name()
seen.append(fails(lambda: net.update_parameters_name(3)))
seen.append(fails(lambda: net.update_parameters_name("a b")))
seen.append(fails(lambda: net.update_parameters_name("a/b")))

## names updated, then a list appended to
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.layers = nn.CellList([dense()])
net = Net()
net.update_parameters_name("net.")
net.layers.append(dense())
net.layers.insert(0, nn.Dense(1, 2))

## Parameter renamed by hand, then a list appended to
net = nn.CellList([dense(), dense()])
for one in net.get_parameters():
    one.name = "model." + one.name
net.append(dense())
del net[0]

## no prefix
class Inner(nn.Cell):
    def __init__(self):
        super().__init__(auto_prefix=False)
        self.fc = dense()
        self.w = weight()
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.inner = Inner()
        seen.append(names(self.inner))
class Outer(nn.Cell):
    def __init__(self):
        super().__init__(auto_prefix=False)
        self.net = Net()
net = Outer()

## no prefix, and names that collide
class Net(nn.Cell):
    def __init__(self):
        super().__init__(auto_prefix=False)
        self.first = dense()
        self.second = dense()
    def construct(self, x):
        return self.second(self.first(x))
net = Net()
seen.append(names(net))
seen.append(fails(net.check_names))
net(Tensor([[1.0]], ms.float32))

## prefix of Cells
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.body = nn.SequentialCell(dense(), dense())
net = Net()
seen.append([net.param_prefix, net.body.param_prefix, net.body[0].param_prefix])
net.update_cell_prefix()
seen.append([net.param_prefix, net.body.param_prefix, net.body[0].param_prefix])

## training step
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.fc = dense()
        self.norm = nn.BatchNorm2d(1)
body = Net()
loss = nn.WithLossCell(body, nn.MSELoss())
seen.append(names(loss))
optimizer = nn.Momentum(loss.trainable_params(), 0.1, 0.9)
net = nn.TrainOneStepCell(loss, optimizer)
seen.append(names(optimizer))
seen.append(names(body))

## training step of a network in an attribute
class Step(nn.Cell):
    def __init__(self, network, optimizer):
        super().__init__()
        self.network = network
        self.optimizer = optimizer
body = nn.SequentialCell(dense(), dense())
optimizer = nn.Adam(body.trainable_params())
seen.append(names(optimizer))
net = Step(body, optimizer)

## evaluation and loss scale Cells
body = dense()
seen.append(names(nn.WithEvalCell(body, nn.MSELoss())))
loss = nn.WithLossCell(body, nn.MSELoss())
net = nn.TrainOneStepWithLossScaleCell(loss, nn.SGD(body.trainable_params()), nn.DynamicLossScaleUpdateCell(8, 2, 4))

## wrap cells
body = dense()
loss = nn.WithLossCell(body, nn.MSELoss())
seen.append(names(nn.ForwardValueAndGrad(loss, body.trainable_params())))
seen.append(names(nn.MicroBatchInterleaved(loss, 2)))
seen.append(names(nn.PipelineCell(loss, 2)))
seen.append(names(nn.TimeDistributed(body, 1)))
net = nn.VirtualDatasetCellTriple(body) if hasattr(nn, "VirtualDatasetCellTriple") else body

## optimizers
body = nn.SequentialCell(nn.Dense(1, 2, has_bias=False), nn.Dense(2, 1, has_bias=False))
for kind, more in (("SGD", {}), ("SGD", {"momentum": 0.9}), ("Momentum", {"learning_rate": 0.1, "momentum": 0.9}), ("Adam", {}),
                   ("AdamWeightDecay", {}), ("AdamOffload", {}), ("Adagrad", {}), ("RMSProp", {}),
                   ("RMSProp", {"centered": True}), ("FTRL", {}), ("LazyAdam", {}), ("Lamb", {"learning_rate": 0.1}),
                   ("LARS", None), ("ProximalAdagrad", {}), ("Adadelta", {}), ("AdaMax", {}), ("ASGD", {}),
                   ("Rprop", {}), ("AdaFactor", {"learning_rate": None}), ("Adam", {"use_amsgrad": True}),
                   ("Adam", {"use_lazy": True})):
    if more is None:
        made = nn.LARS(nn.Momentum(body.trainable_params(), 0.1, 0.9))
    else:
        made = getattr(nn, kind)(body.trainable_params(), **more)
    seen.append([kind, [[one.name, list(one.shape), one.requires_grad] for one in made.get_parameters()]])

## optimizers with changing rates and groups
body = nn.SequentialCell(nn.Dense(1, 2, has_bias=False), nn.Dense(2, 1, has_bias=False))
first, second = body.trainable_params()
for rate in (0.1, [0.1, 0.2], nn.ExponentialDecayLR(0.1, 0.9, 2), Tensor([0.1, 0.2], ms.float32)):
    made = nn.Adam(body.trainable_params(), rate)
    seen.append([[one.name, list(one.shape), one.requires_grad] for one in made.get_parameters()])
groups = [{"params": [second], "lr": 0.5}, {"params": [first]}, {"order_params": [first, second]}]
for rate in (0.1, [0.1, 0.2], nn.ExponentialDecayLR(0.1, 0.9, 2)):
    made = nn.Momentum(groups, rate, 0.9, weight_decay=0.1)
    seen.append([[one.name, list(one.shape), one.requires_grad] for one in made.get_parameters()])
groups = [{"params": [second], "lr": [0.5, 0.25]}, {"params": [first]}]
made = nn.Momentum(groups, 0.1, 0.9)
seen.append([[one.name, list(one.shape), one.requires_grad] for one in made.get_parameters()])

## optimizer in an attribute
class Step(nn.Cell):
    def __init__(self, network):
        super().__init__()
        self.network = network
        self.optimizer = nn.Momentum(network.trainable_params(), 0.1, 0.9)
net = Step(nn.SequentialCell(dense(), nn.ReLU(), dense()))
seen.append(names(net.optimizer))

## recomputation leaves names
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.body = nn.SequentialCell(dense(), dense())
        self.body.recompute()
        self.head = dense()
net = Net()
net.head.recompute()
seen.append(net.head.cell_init_args.split("[")[0])

## frozen Parameters
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.fc = dense()
        self.head = dense()
        for one in self.fc.get_parameters():
            one.requires_grad = False
net = Net()
seen.append([names(net.trainable_params()), names(net.untrainable_params())])

## copies of a network
import copy
class Net(nn.Cell):
    def __init__(self, block):
        super().__init__()
        self.layers = nn.CellList([copy.deepcopy(block) for _ in range(2)])
        self.layers.append(copy.deepcopy(block))
net = Net(nn.SequentialCell(dense(), nn.ReLU()))

## names longer than their Cells
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = weight("a.very.long.name")
        self.layers = nn.CellList([nn.Cell()])
        self.layers[0].w = weight("x.y")
net = Net()
net.layers.append(dense())

## layers of the library
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(2, 3, num_layers=2, bidirectional=True)
        self.gru = nn.GRU(2, 3)
        self.rnn = nn.RNN(2, 3)
        self.cell = nn.LSTMCell(2, 3)
        self.attention = nn.MultiheadAttention(4, 2)
        self.encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(4, 2, 8), 2)
        self.group = nn.GroupNorm(1, 2)
        self.instance = nn.InstanceNorm2d(2)
        self.prelu = nn.PReLU(2)
        self.bilinear = nn.BiDense(2, 3, 4)
        self.table = nn.EmbeddingLookup(3, 2)
        self.conv1d = nn.Conv1d(2, 3, 1, has_bias=True)
        self.conv3d = nn.Conv3d(2, 3, 1)
        self.transposed = nn.Conv2dTranspose(2, 3, 1)
        self.block = nn.Conv2dBnAct(2, 3, 1, has_bn=True, activation="relu")
        self.dense = nn.DenseBnAct(2, 3, has_bn=True, activation="relu")
net = Net()
seen.append(names(net.trainable_params()))
"""
