"""Programs that fill CellList and SequentialCell in every way; `name_execute` runs them."""

ROWS = """
## list assigned empty and filled
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.layers = nn.CellList()
        for _ in range(3):
            self.layers.append(dense())
net = Net()

## list filled and assigned
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        layers = nn.CellList()
        for _ in range(3):
            layers.append(dense())
        self.layers = layers
net = Net()

## list assigned with one member and appended to
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.layers = nn.CellList([dense()])
        self.layers.append(dense())
        self.layers.append(dense())
net = Net()

## list appended to after the network was made
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.layers = nn.CellList([dense(), dense()])
net = Net()
net.layers.append(dense())

## list appended to after the network became part of another
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.layers = nn.CellList([dense()])
class Outer(nn.Cell):
    def __init__(self):
        super().__init__()
        self.inner = Net()
        self.inner.layers.append(dense())
net = Outer()
net.inner.layers.append(dense())

## empty list of an inner network, filled later
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.layers = nn.CellList()
class Outer(nn.Cell):
    def __init__(self):
        super().__init__()
        self.inner = Net()
        self.inner.layers.append(dense())
        self.head = dense()
net = Outer()

## two empty lists filled afterwards collide
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.first = nn.CellList()
        self.second = nn.CellList()
        self.first.append(dense())
        self.second.append(dense())
net = Net()
seen.append(fails(net.check_names))
net.check_names_and_refresh_name()
seen.append(names(net))

## colliding names given to an optimizer
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.first = nn.CellList()
        self.second = nn.CellList()
        self.first.append(dense())
        self.second.append(dense())
net = Net()
nn.SGD(net.trainable_params())

## colliding names are put right by the first call
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.first = nn.CellList()
        self.second = nn.CellList()
        self.first.append(dense())
        self.second.append(dense())
    def construct(self, x):
        return self.second[0](self.first[0](x))
net = Net()
net(Tensor([[1.0]], ms.float32))

## list appended to where the first member has no Parameters
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.layers = nn.CellList([nn.ReLU()])
        self.layers.append(dense())
        self.layers.append(nn.ReLU())
        self.layers.append(dense())
net = Net()

## list appended to where no member has Parameters
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.layers = nn.CellList([nn.ReLU(), nn.ReLU()])
        self.layers.append(dense())
net = Net()

## list appended to where only the last member has Parameters
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.layers = nn.CellList([nn.ReLU(), nn.ReLU(), dense()])
        self.layers.append(dense())
net = Net()

## list extended
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.layers = nn.CellList()
        self.layers.extend([dense(), dense()])
        self.layers.extend([dense()])
        self.layers += [dense()]
net = Net()

## list with members extended
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.layers = nn.CellList([dense()])
        self.layers.extend([dense(), dense()])
        self.layers += [dense()]
net = Net()

## list extended with a list of Cells made by other containers
net = nn.CellList([dense()])
seen.append(fails(lambda: net.extend((dense(), dense()))))
seen.append(fails(lambda: net.extend(nn.CellList([dense()]))))
seen.append(fails(lambda: net.extend(dense())))
seen.append(fails(lambda: net.extend([dense(), 3])))
seen.append(len(net))

## list inserted at the front
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.layers = nn.CellList([dense(), nn.Dense(1, 2)])
        self.layers.insert(0, nn.Dense(1, 3))
net = Net()

## list inserted in the middle and at the end
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.layers = nn.CellList([dense(), nn.Dense(1, 2)])
        self.layers.insert(1, nn.Dense(1, 3))
        self.layers.insert(3, nn.Dense(1, 4))
        self.layers.insert(-1, nn.Dense(1, 5))
net = Net()

## list inserted while empty
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.layers = nn.CellList()
        self.layers.insert(0, dense())
        self.layers.insert(0, nn.Dense(1, 2))
net = Net()

## list inserted beside members without Parameters
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.layers = nn.CellList([nn.ReLU(), dense()])
        self.layers.insert(1, nn.Dense(1, 2))
net = Net()

## list inserted out of range
net = nn.CellList([dense()])
seen.append(fails(lambda: net.insert(3, dense())))
seen.append(fails(lambda: net.insert(-3, dense())))
seen.append(fails(lambda: net.insert("0", dense())))
seen.append(fails(lambda: net.insert(0, None)))

## list member replaced
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.layers = nn.CellList([dense(), dense(), dense()])
        self.layers[1] = nn.Dense(1, 2)
        self.layers[-1] = nn.Dense(1, 3)
net = Net()

## first and only list member replaced
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.layers = nn.CellList([dense()])
        self.layers[0] = nn.Dense(1, 2)
net = Net()

## list member replaced from outside
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.layers = nn.CellList([nn.ReLU(), dense()])
net = Net()
net.layers[0] = nn.Dense(1, 2)
seen.append(fails(lambda: net.layers.__setitem__(5, dense())))
seen.append(fails(lambda: net.layers.__setitem__(0, 3)))
seen.append(fails(lambda: net.layers.__setitem__("0", dense())))

## list member deleted
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.layers = nn.CellList([dense(), nn.Dense(1, 2), nn.Dense(1, 3)])
        del self.layers[0]
net = Net()
seen.append(names(net))
del net.layers[-1]

## list members deleted by a slice
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.layers = nn.CellList([nn.Dense(1, size) for size in (1, 2, 3, 4, 5)])
        del self.layers[1:4:2]
net = Net()

## list member deleted where members have no Parameters
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.layers = nn.CellList([nn.ReLU(), dense(), nn.Dense(1, 2)])
        del self.layers[0]
net = Net()

## list member deleted and another appended
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.layers = nn.CellList([dense(), dense()])
        del self.layers[0]
        self.layers.append(nn.Dense(1, 2))
net = Net()

## slice of a list
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.layers = nn.CellList([dense(), nn.Dense(1, 2), nn.Dense(1, 3)])
        self.part = self.layers[1:]
net = Net()

## slice of a list looked at
layers = nn.CellList([dense(), nn.Dense(1, 2), nn.Dense(1, 3)])
part = layers[1:]
seen.append([names(layers), names(part), list(part.name_cells()), len(part)])
net = layers

## list without prefix
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.layers = nn.CellList([dense()], auto_prefix=False)
        seen.append(names(self))
        self.layers.append(dense())
        seen.append(names(self))
        self.layers.insert(0, dense())
        seen.append(names(self))
        self.layers.extend([dense()])
net = Net()

## list without prefix changed and cut
net = nn.CellList([weight_cell() for weight_cell in [dense] * 3], auto_prefix=False)
net[1] = nn.Dense(1, 2)
seen.append(names(net))
del net[0]

## list of lists
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.stages = nn.CellList()
        for _ in range(2):
            stage = nn.CellList()
            for _ in range(2):
                stage.append(dense())
            self.stages.append(stage)
net = Net()

## list of lists filled from outside in
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.stages = nn.CellList()
        for _ in range(2):
            stage = nn.CellList()
            self.stages.append(stage)
            for _ in range(2):
                stage.append(dense())
net = Net()

## list of blocks with lists, as in hierarchical transformers
class Block(nn.Cell):
    def __init__(self):
        super().__init__()
        self.norm = nn.LayerNorm((1,))
        self.mlp = nn.SequentialCell([dense(), nn.ReLU(), dense()])
class Stage(nn.Cell):
    def __init__(self, depth):
        super().__init__()
        self.blocks = nn.CellList([Block() for _ in range(depth)])
        self.downsample = dense()
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.embed = dense()
        self.layers = nn.CellList()
        for depth in (1, 2):
            self.layers.append(Stage(depth))
        self.head = dense()
net = Net()

## list of blocks whose names look like keys
class Block(nn.Cell):
    def __init__(self):
        super().__init__()
        self.insert_child_to_cell("0", dense())
        self.insert_child_to_cell("1", dense())
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.layers = nn.CellList([Block(), Block()])
        self.layers.append(Block())
net = Net()

## list inside list appended to where keys repeat
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.stages = nn.CellList([nn.CellList([dense(), dense()]), nn.CellList([dense(), dense()])])
        self.stages[0].append(dense())
        self.stages[1].append(dense())
        self.stages.append(nn.CellList([dense()]))
net = Net()

## one member twice in a list
shared = dense()
net = nn.CellList([shared, shared, dense()])
net.append(shared)

## one member in two lists
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        shared = dense()
        self.first = nn.CellList([shared, dense()])
        self.second = nn.CellList([shared, dense()])
        self.second.append(dense())
net = Net()

## list refuses what is no Cell
seen.append(fails(lambda: nn.CellList([dense(), 1])))
seen.append(fails(lambda: nn.CellList(dense(), dense())))
seen.append(fails(lambda: nn.CellList(dense())))
seen.append(fails(lambda: nn.CellList().append(None)))
seen.append(fails(lambda: nn.CellList((dense(), dense()))))
seen.append(fails(lambda: nn.CellList([dense()])[1]))
seen.append(fails(lambda: nn.CellList([dense()])["0"]))
seen.append(fails(lambda: nn.CellList({"a": dense()})))
seen.append(fails(lambda: nn.CellList(cell for cell in [dense()])))

## sequence assigned empty and filled
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.layers = nn.SequentialCell()
        for _ in range(3):
            self.layers.append(dense())
net = Net()

## sequence appended to
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.layers = nn.SequentialCell(dense(), nn.ReLU())
        self.layers.append(dense())
net = Net()
net.layers.append(dense())

## sequence appended to where no member has Parameters
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.layers = nn.SequentialCell([nn.ReLU()])
        self.layers.append(dense())
net = Net()

## sequence by names appended to
from collections import OrderedDict
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.layers = nn.SequentialCell(OrderedDict([("first", dense()), ("second", nn.ReLU())]))
        self.layers.append(dense())
net = Net()

## sequence by names deleted from
from collections import OrderedDict
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.layers = nn.SequentialCell(OrderedDict([("first", dense()), ("second", nn.Dense(1, 2)), ("third", dense())]))
        del self.layers[0]
net = Net()

## sequence by names whose member is replaced
from collections import OrderedDict
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.layers = nn.SequentialCell(OrderedDict([("first", dense()), ("second", dense())]))
        self.layers[1] = nn.Dense(1, 2)
        self.layers[0] = nn.Dense(1, 3)
net = Net()

## sequence with a key that is a number
from collections import OrderedDict
net = nn.SequentialCell(OrderedDict([("1", dense()), ("0", nn.Dense(1, 2))]))
net.append(nn.Dense(1, 3))

## sequence with a key that the next number takes
from collections import OrderedDict
net = nn.SequentialCell(OrderedDict([("1", dense())]))
net.append(nn.Dense(1, 3))
seen.append(len(net))

## sequence with an attribute appended to
class Head(nn.SequentialCell):
    def __init__(self):
        super().__init__(dense(), nn.ReLU())
        self.extra = dense()
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.head = Head()
        self.head.append(dense())
net = Net()
seen.append(len(net.head))

## sequence members deleted
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.layers = nn.SequentialCell([nn.Dense(1, size) for size in (1, 2, 3, 4, 5)])
        del self.layers[0]
        del self.layers[1:3]
net = Net()

## sequence member deleted from a sequence by itself
net = nn.SequentialCell([nn.Dense(1, size) for size in (1, 2, 3)])
del net[1]
seen.append(fails(lambda: net.__delitem__("0")))
seen.append(fails(lambda: net.__delitem__(7)))

## sequence member replaced
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.layers = nn.SequentialCell(dense(), nn.ReLU(), dense())
        self.layers[1] = nn.Dense(1, 2)
net = Net()
net.layers[-1] = nn.Dense(1, 3)

## slice of a sequence
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        body = nn.SequentialCell([nn.Dense(1, size) for size in (1, 2, 3)])
        self.body = body[:2]
        self.tail = body[2:]
net = Net()

## slice of a sequence looked at
layers = nn.SequentialCell([nn.Dense(1, size) for size in (1, 2, 3)])
part = layers[1:]
seen.append([names(layers), names(part), list(part.name_cells()), len(part)])
net = layers

## sequence of a plain list of members, backbone cut off
class Backbone(nn.Cell):
    def __init__(self):
        super().__init__()
        self.layers = nn.SequentialCell([dense(), nn.BatchNorm2d(1), nn.ReLU(), nn.Dense(1, 3)])
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.features = nn.SequentialCell(*list(Backbone().layers.cells())[:-1])
        self.head = dense()
net = Net()

## sequence of sequences filled step by step
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.features = nn.SequentialCell()
        for size in (1, 2):
            block = nn.SequentialCell()
            block.append(nn.Conv2d(1, size, 1))
            block.append(nn.BatchNorm2d(size))
            self.features.append(block)
net = Net()

## sequence made of one list that grew
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        layers = []
        for size in (1, 2):
            layers += [nn.Conv2d(1, size, 1), nn.BatchNorm2d(size), nn.ReLU()]
        self.features = nn.SequentialCell(layers)
net = Net()

## sequence refuses what is no Cell
seen.append(fails(lambda: nn.SequentialCell([dense(), 1])))
seen.append(fails(lambda: nn.SequentialCell((dense(), dense()))))
seen.append(fails(lambda: nn.SequentialCell(dense(), 1)))
seen.append(fails(lambda: nn.SequentialCell({"a": dense()})))
seen.append(fails(lambda: nn.SequentialCell(dense()).append(1)))
seen.append(fails(lambda: nn.SequentialCell(dense())[1]))

## sequence inserted into
net = nn.SequentialCell(dense(), dense())
seen.append(fails(lambda: net.insert(0, dense())))
seen.append(fails(lambda: net.extend([dense()])))
"""
