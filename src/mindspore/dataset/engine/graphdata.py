"""Graphs: nodes and edges with types and features, their neighbours, and walks over them."""

from __future__ import annotations

import enum
import functools
import pickle
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from mindspore._utils.files.array_pickle import read_arrays
from mindspore._utils.files.pickle_reader import RefusedPickle
from mindspore.dataset._pipeline import arguments as check
from mindspore.dataset._sources.table_source import check_file
from mindspore.dataset.core import config
from mindspore.dataset.engine.datasets_user_defined import GeneratorDataset
from mindspore.mindrecord._reader import RecordFile

__all__ = ["Graph", "GraphData", "InMemoryGraphDataset", "OutputFormat", "SamplingStrategy"]


class SamplingStrategy(enum.IntEnum):
    """How neighbours are sampled.

    Examples:
        >>> import mindspore.dataset as ds
        >>> [one.name for one in ds.SamplingStrategy]
        ['RANDOM', 'EDGE_WEIGHT']
    """

    RANDOM = 0
    EDGE_WEIGHT = 1


class OutputFormat(enum.IntEnum):
    """The form of neighbours: a padded table, or (row, column) pairs, or compressed rows.

    Examples:
        >>> import mindspore.dataset as ds
        >>> [one.name for one in ds.OutputFormat]
        ['NORMAL', 'COO', 'CSR']
    """

    NORMAL = 0
    COO = 1
    CSR = 2


class _AnyGraph:
    """What graphs of files and of arrays share: nodes and edges by number, and the edges that leave each node."""

    def _build(
        self, nodes: dict[int, Any], edges: dict[int, tuple[int, int]], edge_types: dict[int, Any], weights: Any
    ) -> None:
        self._node_types = nodes  # number -> type
        self._edges = edges  # number -> (from, to)
        self._edge_types = edge_types
        self._leaving: dict[int, list[tuple[int, float]]] = {}
        for number, (start, stop) in edges.items():
            self._leaving.setdefault(start, []).append((stop, weights.get(number, 1.0)))
        self._node_features: dict[Any, dict[int, np.ndarray]] = {}
        self._edge_features: dict[Any, dict[int, np.ndarray]] = {}

    @functools.cached_property
    def _random(self) -> np.random.Generator:
        return np.random.default_rng(config.pipeline_seed())

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "_random"}

    # -- nodes and edges ----------------------------------------------------------------------------------------------
    def get_all_nodes(self, node_type: Any) -> np.ndarray:
        """The numbers of the nodes of a type."""
        return np.array([node for node, kind in self._node_types.items() if str(kind) == str(node_type)], np.int32)

    def get_all_edges(self, edge_type: Any) -> np.ndarray:
        """The numbers of the edges of a type."""
        return np.array([edge for edge, kind in self._edge_types.items() if str(kind) == str(edge_type)], np.int32)

    def get_nodes_from_edges(self, edge_list: Sequence[int]) -> np.ndarray:
        """The two nodes of each edge, <N,2>."""
        return np.array([self._known(self._edges, edge, "edge") for edge in _listed("edge_list", edge_list)], np.int32)

    def get_edges_from_nodes(self, node_list: Sequence[tuple[int, int]]) -> np.ndarray:
        """The edge between each pair of nodes; -1 where there is none."""
        numbers = {pair: number for number, pair in self._edges.items()}
        return np.array([numbers.get((int(start), int(stop)), -1) for start, stop in node_list], np.int32)

    @staticmethod
    def _known(table: dict[int, Any], number: Any, what: str) -> Any:
        if int(number) not in table:
            raise RuntimeError(f"Invalid {what} id: {number}. The graph has {len(table)} {what}s.")
        return table[int(number)]

    # -- neighbours ---------------------------------------------------------------------------------------------------
    def _neighbors(self, node: int, kind: Any) -> list[tuple[int, float]]:
        self._known(self._node_types, node, "node")
        return [pair for pair in self._leaving.get(int(node), []) if str(self._node_types[pair[0]]) == str(kind)]

    def get_all_neighbors(
        self, node_list: Sequence[int], neighbor_type: Any, output_format: OutputFormat = OutputFormat.NORMAL
    ) -> Any:
        """The neighbours of nodes.

        NORMAL: a row for each node, the node itself first, filled up with -1. COO: pairs of node and neighbour. CSR: where the
        neighbours of each node begin, and all neighbours.
        """
        nodes = _listed("node_list", node_list)
        found = [[other for other, _ in self._neighbors(node, neighbor_type)] for node in nodes]
        if output_format == OutputFormat.COO:
            return np.array(
                [(node, neighbor) for node, others in zip(nodes, found, strict=True) for neighbor in others], np.int32
            )
        if output_format == OutputFormat.CSR:
            starts = np.cumsum([0, *map(len, found)])[:-1]
            return starts.astype(np.int32), np.array([neighbor for others in found for neighbor in others], np.int32)
        table = np.full((len(nodes), 1 + max(map(len, found))), -1, np.int32)
        for row, node, others in zip(table, nodes, found, strict=True):
            row[: 1 + len(others)] = [node, *others]
        return table

    def get_sampled_neighbors(
        self,
        node_list: Sequence[int],
        neighbor_nums: Sequence[int],
        neighbor_types: Sequence[Any],
        strategy: SamplingStrategy = SamplingStrategy.RANDOM,
    ) -> np.ndarray:
        """Neighbours by chance, and neighbours of these, a row for each node; -1 where there is no neighbour."""
        if len(neighbor_nums) != len(neighbor_types):
            raise ValueError("The sizes of neighbor_nums and neighbor_types are inconsistent.")
        rows = []
        for node in _listed("node_list", node_list):
            row, last = [node], [node]
            for count, kind in zip(neighbor_nums, neighbor_types, strict=True):
                last = [neighbor for before in last for neighbor in self._sampled(before, count, kind, strategy)]
                row += last
            rows.append(row)
        return np.array(rows, np.int32)

    def _sampled(self, node: int, count: int, kind: Any, strategy: SamplingStrategy) -> list[int]:
        pairs = [] if node == -1 else self._neighbors(node, kind)
        if not pairs:
            return [-1] * count
        others = np.array([other for other, _ in pairs])
        if strategy == SamplingStrategy.EDGE_WEIGHT:
            weights = np.array([weight for _, weight in pairs])
            return self._random.choice(others, count, p=weights / weights.sum()).tolist()
        drawn: list[int] = []
        while len(drawn) < count:  # all of them before any comes again
            drawn += self._random.permutation(others).tolist()
        return drawn[:count]

    def get_neg_sampled_neighbors(
        self, node_list: Sequence[int], neg_neighbor_num: int, neg_neighbor_type: Any
    ) -> np.ndarray:
        """Nodes by chance that are no neighbours, a row for each node, the node itself first."""
        candidates = self.get_all_nodes(neg_neighbor_type).tolist()
        rows = []
        for node in _listed("node_list", node_list):
            near = {other for other, _ in self._neighbors(node, neg_neighbor_type)} | {node}
            far = [candidate for candidate in candidates if candidate not in near]
            drawn = self._random.choice(far, neg_neighbor_num).tolist() if far else [-1] * neg_neighbor_num
            rows.append([node, *drawn])
        return np.array(rows, np.int32)

    def random_walk(
        self,
        target_nodes: Sequence[int],
        meta_path: Sequence[Any],
        step_home_param: float = 1.0,
        step_away_param: float = 1.0,
        default_node: int = -1,
    ) -> np.ndarray:
        """Walks from nodes over neighbours of these types, a row for each; as node2vec does it.

        Args:
            step_home_param: large values make the way back rare.
            step_away_param: large values keep the walk near.
            default_node: stands where a walk could not go on.
        """
        rows = []
        for node in _listed("target_nodes", target_nodes):
            row = [node]
            for kind in meta_path:
                row.append(self._step(row, kind, step_home_param, step_away_param, default_node))
            rows.append(row)
        return np.array(rows, np.int32)

    def _step(self, row: list[int], kind: Any, home: float, away: float, default: int) -> int:
        here = row[-1]
        others = [] if here == default else [other for other, _ in self._neighbors(here, kind)]
        if not others:
            return default
        before = row[-2] if len(row) > 1 else None
        near = {other for other, _ in self._leaving.get(before, [])} if before is not None else set(others)
        chances = [1 / home if other == before else 1.0 if other in near else 1 / away for other in others]
        return int(self._random.choice(others, p=np.array(chances) / sum(chances)))

    # -- features -----------------------------------------------------------------------------------------------------
    def get_node_feature(self, node_list: Sequence[int], feature_types: Sequence[Any]) -> list[np.ndarray]:
        """Features of nodes, an array for each type; zeros where a node, such as -1, has none."""
        return [_features(self._node_features, feature_type, np.asarray(node_list)) for feature_type in feature_types]

    def get_edge_feature(self, edge_list: Sequence[int], feature_types: Sequence[Any]) -> list[np.ndarray]:
        """Features of edges, an array for each type."""
        return [_features(self._edge_features, feature_type, np.asarray(edge_list)) for feature_type in feature_types]

    def graph_info(self) -> dict[str, Any]:
        """The types of nodes, edges and features, and how many there are."""
        info: dict[str, Any] = {}
        for name, table in (("node", self._node_types), ("edge", self._edge_types)):
            kinds = list(dict.fromkeys(table.values()))
            info[f"{name}_type"] = kinds
            info[f"{name}_num"] = {kind: sum(known == kind for known in table.values()) for kind in kinds}
        return {**info, "node_feature_type": list(self._node_features), "edge_feature_type": list(self._edge_features)}


def _listed(name: str, value: Any) -> list[int]:
    values = np.asarray(value)
    if values.ndim != 1 or values.size == 0 or values.dtype.kind not in "iu":
        raise ValueError(f"{name} must be a list of numbers that is not empty, but got {value!r:.80}.")
    return values.tolist()


def _features(table: dict[Any, dict[int, np.ndarray]], kind: Any, numbers: np.ndarray) -> np.ndarray:
    if kind not in table:
        raise RuntimeError(f"Invalid feature type: {kind!r}. The graph has {list(table)}.")
    values = table[kind]
    empty = np.zeros_like(next(iter(values.values())))
    flat = np.stack([values.get(number, empty) for number in numbers.ravel().tolist()])
    return flat.reshape(*numbers.shape, *flat.shape[1:])


class GraphData(_AnyGraph):
    """A graph in a MindRecord file: rows of nodes (attribute 'n') and of edges (attribute 'e').

    Args:
        dataset_file: the file.
        working_mode: 'local'; the graph is always held by the process itself.
    """

    def __init__(
        self,
        dataset_file: str,
        num_parallel_workers: int | None = None,
        working_mode: str = "local",
        hostname: str = "127.0.0.1",
        port: int = 50051,
        num_client: int = 1,
        auto_shutdown: bool = True,
    ):
        check.workers(num_parallel_workers)
        if working_mode != "local":
            raise ValueError(f"GraphData: only the working_mode 'local' is supported, but got {working_mode!r}.")
        records = RecordFile(check_file(dataset_file))
        rows = [records.read(row) for row in range(len(records))]
        nodes = [row for row in rows if str(row["attribute"]) == "n"]
        edges = {int(row["first_id"]): row for row in rows if str(row["attribute"]) == "e"}
        self._build(
            {int(row["first_id"]): int(row["type"]) for row in nodes},
            {number: (int(row["second_id"]), int(row["third_id"])) for number, row in edges.items()},
            {number: int(row["type"]) for number, row in edges.items()},
            {number: float(row["weight"]) for number, row in edges.items() if "weight" in row},
        )
        self._collect("node", {int(row["first_id"]): row for row in nodes}, self._node_features)
        self._collect("edge", edges, self._edge_features)

    @staticmethod
    def _collect(what: str, rows: dict[int, dict[str, np.ndarray]], into: dict[Any, dict[int, np.ndarray]]) -> None:
        for number, row in rows.items():
            for kind in np.atleast_1d(row[f"{what}_feature_index"]).tolist() if f"{what}_feature_index" in row else ():
                if kind > 0:
                    value = row[f"{what}_feature_{kind}"]
                    single = value.reshape(()) if value.size == 1 else value
                    into.setdefault(int(kind), {})[number] = single


class Graph(_AnyGraph):
    """A graph of arrays.

    Args:
        edges: <2,N>: from which node to which each edge goes.
        node_feat: name to array with one row for each node.
        edge_feat: name to array with one row for each edge.
        graph_feat: name to array.
        node_type: the type of each node; '0' by default.
        edge_type: the type of each edge; '0' by default.

    Examples:
        >>> import numpy as np
        >>> import mindspore.dataset as ds
        >>> graph = ds.Graph(np.array([[0, 0, 1], [1, 2, 2]]), node_feat={"size": np.array([3, 4, 5])})
        >>> graph.get_all_neighbors([0, 1], "0").tolist()
        [[0, 1, 2], [1, 2, -1]]
        >>> graph.get_node_feature([2, 0], ["size"])
        [array([5, 3])]
    """

    def __init__(
        self,
        edges: np.ndarray,
        node_feat: dict[str, np.ndarray] | None = None,
        edge_feat: dict[str, np.ndarray] | None = None,
        graph_feat: dict[str, np.ndarray] | None = None,
        node_type: Any = None,
        edge_type: Any = None,
        num_parallel_workers: int | None = None,
        working_mode: str = "local",
        hostname: str = "127.0.0.1",
        port: int = 50051,
        num_client: int = 1,
        auto_shutdown: bool = True,
    ):
        pairs = np.asarray(edges)
        if pairs.ndim != 2 or pairs.shape[0] != 2:
            raise ValueError(f"Graph: edges must be an array <2,N>, but got the shape {list(pairs.shape)}.")
        counts = [int(pairs.max()) + 1 if pairs.size else 0, *(len(feature) for feature in (node_feat or {}).values())]
        kinds = ["0"] * max(counts) if node_type is None else np.asarray(node_type).tolist()
        lines = ["0"] * pairs.shape[1] if edge_type is None else np.asarray(edge_type).tolist()
        self._build(dict(enumerate(kinds)), dict(enumerate(map(tuple, pairs.T.tolist()))), dict(enumerate(lines)), {})
        self._node_features.update(
            {name: dict(enumerate(np.asarray(feature))) for name, feature in (node_feat or {}).items()}
        )
        self._edge_features.update(
            {name: dict(enumerate(np.asarray(feature))) for name, feature in (edge_feat or {}).items()}
        )
        self._graph_features = dict(graph_feat or {})

    def get_graph_feature(self, feature_types: Sequence[str]) -> list[np.ndarray]:
        """Features of the whole graph."""
        for feature_type in feature_types:
            if feature_type not in self._graph_features:
                raise RuntimeError(
                    f"Invalid feature type: {feature_type!r}. The graph has {list(self._graph_features)}."
                )
        return [self._graph_features[feature_type] for feature_type in feature_types]


class InMemoryGraphDataset(GeneratorDataset):
    """Base of datasets of graphs: define ``process``, which fills ``self.graphs``; they are kept in ``save_dir``.

    Args:
        data_dir: where ``process`` reads from.
        save_dir: a folder in ``data_dir`` for the result of ``process``.
        column_names: the names of the columns of a row.

    Examples:
        >>> import tempfile
        >>> import mindspore.dataset as ds
        >>> import numpy as np
        >>> class Two(ds.InMemoryGraphDataset):
        ...     def process(self):
        ...         self.graphs = [np.array([1, 2]), np.array([3, 4])]
        >>> dataset = Two(tempfile.mkdtemp(), column_names=["nodes"], shuffle=False)
        >>> [row["nodes"].tolist() for row in dataset.create_dict_iterator(num_epochs=1, output_numpy=True)]
        [[1, 2], [3, 4]]
    """

    def __init__(
        self,
        data_dir: str,
        save_dir: str = "./processed",
        column_names: Any = "graph",
        num_samples: int | None = None,
        num_parallel_workers: int | None = 1,
        shuffle: bool | None = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
        python_multiprocessing: bool = True,
        max_rowsize: int | None = None,
    ):
        self.data_dir = data_dir
        self.save_dir = str(Path(data_dir) / save_dir)
        self.graphs: list[Any] = []
        if self._saved().exists():
            self.load()
        else:
            self.process()
            self.save()
        super().__init__(
            self,
            column_names,
            None,
            None,
            num_samples,
            num_parallel_workers,
            shuffle,
            None,
            num_shards,
            shard_id,
            False,
        )

    def _saved(self) -> Path:
        return Path(self.save_dir) / "graphs.pickle"

    def process(self) -> None:
        """Make the graphs."""
        raise NotImplementedError("InMemoryGraphDataset: define 'process', which fills self.graphs.")

    def save(self, *arguments: Any, **options: Any) -> Any:
        """Keep the graphs in ``save_dir``: arrays, numbers, text, containers of them and :class:`Graph`."""
        self._saved().parent.mkdir(parents=True, exist_ok=True)
        content = pickle.dumps(self.graphs)
        read_arrays(content, {f"{Graph.__module__}.Graph": Graph})  # what could not be read again is refused now
        self._saved().write_bytes(content)

    def load(self) -> None:
        """Read the graphs that were kept."""
        path = self._saved()
        try:
            self.graphs = read_arrays(
                path.read_bytes(), {f"{Graph.__module__}.Graph": Graph, f"{__name__}.Graph": Graph}
            )
        except RefusedPickle as error:
            raise RuntimeError(
                f"For 'InMemoryGraphDataset', the file {path} must hold graphs of arrays, but {error}. Delete it, and "
                "'process' makes it again; a class whose graphs hold other objects defines 'save' and 'load' itself."
            ) from None

    def __getitem__(self, index: int) -> Any:
        return self.graphs[index]

    def __len__(self) -> int:
        return len(self.graphs)
