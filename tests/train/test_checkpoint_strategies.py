"""Checkpoints of several devices. real_strategies.json holds what real MindSpore 2.10 made of a 32 x 16 arange."""

import base64
import json
from itertools import product
from pathlib import Path

import numpy as np
import pytest

import mindspore as ms
from mindspore import Parameter, Tensor, nn
from mindspore.train import serialization
from mindspore.train._formats.strategy import Dims, ParallelLayouts

REAL = json.loads((Path(__file__).resolve().parents[1] / "data" / "real_strategies.json").read_text())
LAYOUTS = REAL["layouts"]
FULL = np.arange(32 * 16, dtype=np.float32).reshape(32, 16)


def pieces(name):
    """The pieces that real MindSpore cut: the first element says where."""
    return [
        FULL[first // 16 : first // 16 + rows, first % 16 : first % 16 + columns]
        for first, rows, columns in REAL["pieces"][name]
    ]


@pytest.fixture
def folder(tmp_path):
    """Strategy files, and the checkpoints of all ranks for each of them."""
    for name, layout in LAYOUTS.items():
        (tmp_path / f"{name}.json").write_text(json.dumps({"parallel_layout_item": {"w": layout}}))
    return tmp_path


def save_ranks(folder, name):
    for rank, piece in enumerate(pieces(name)):
        place = folder / name / f"rank_{rank}"
        place.mkdir(parents=True)
        values = [{"name": "w", "data": Tensor(piece)}, {"name": "step", "data": Tensor(7)}]
        ms.save_checkpoint(values, str(place / "net.ckpt"))
    return str(folder / name)


class TestTransforming:
    @pytest.mark.parametrize("name", LAYOUTS)
    def test_one_device_is_cut_as_real_mindspore_cuts(self, folder, name):
        (folder / "one" / "rank_0").mkdir(parents=True)
        ms.save_checkpoint([{"name": "w", "data": Tensor(FULL)}], str(folder / "one" / "rank_0" / "net.ckpt"))
        serialization.transform_checkpoints(
            str(folder / "one"), str(folder / "out"), "p", None, str(folder / f"{name}.json")
        )
        for rank, piece in enumerate(pieces(name)):
            made = ms.load_checkpoint(str(folder / "out" / f"rank_{rank}" / f"p{rank}.ckpt"))
            assert np.array_equal(made["w"].asnumpy(), piece)

    @pytest.mark.parametrize(("source", "target"), [*product("cdgij", "bgih"), ("f", "a")])
    def test_every_arrangement_from_every_other(self, folder, source, target):
        strategies = [str(folder / f"{name}.json") for name in (source, target)]
        for rank, piece in enumerate(pieces(target)):
            needed = serialization.rank_list_for_transform(rank, *strategies)
            assert set(needed) <= set(REAL["needed ranks"][f"{source}>{target}"][rank])
            if rank == 0:
                saved = save_ranks(folder, source)
            files = {one: f"{saved}/rank_{one}/net.ckpt" for one in needed}
            serialization.transform_checkpoint_by_rank(rank, files, str(folder / "made.ckpt"), *strategies)
            made = ms.load_checkpoint(str(folder / "made.ckpt"))
            assert np.array_equal(made["w"].asnumpy(), piece) and made["step"].asnumpy() == 7

    def test_all_ranks_to_one_file_of_safetensors(self, folder):
        saved = save_ranks(folder, "g")
        serialization.transform_checkpoints(
            saved, str(folder / "out"), "p", str(folder / "g.json"), output_format="safetensors"
        )
        made = ms.load_checkpoint(str(folder / "out" / "rank_0" / "p0.safetensors"))
        assert np.array_equal(made["w"].asnumpy(), FULL)

    def test_a_missing_rank_is_told(self, folder):
        saved = Path(save_ranks(folder, "a"))
        (saved / "rank_2" / "net.ckpt").unlink()
        with pytest.raises(ValueError, match="rank2 is needed for converting rank0"):
            serialization.transform_checkpoints(str(saved), str(folder / "out"), "p", str(folder / "a.json"))
        files = {rank: str(saved / f"rank_{rank}" / "net.ckpt") for rank in (0, 1)}
        with pytest.raises(ValueError, match="slices are missing"):
            serialization.transform_checkpoint_by_rank(0, files, str(folder / "x.ckpt"), str(folder / "a.json"))
        with pytest.raises(ValueError, match=r"should end with \.ckpt"):
            serialization.transform_checkpoint_by_rank(0, files, str(folder / "x"), str(folder / "a.json"))


class TestStages:
    @pytest.fixture
    def stages(self, tmp_path):
        for name, content in REAL["files"].items():
            path = tmp_path / name
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(base64.b64decode(content))
        return tmp_path

    def test_files_of_stages_are_merged_to_the_same_bytes(self, stages):
        serialization.merge_pipeline_strategys(str(stages / "src"), str(stages / "mine" / "all.ckpt"))
        assert (stages / "mine" / "all.ckpt").read_bytes() == (stages / "merged.ckpt").read_bytes()

    def test_json_files_too(self, tmp_path):
        (tmp_path / "src").mkdir()
        for stage in (0, 1):
            content = {
                "parallel_strategy_item": {f"op{stage}": {"stage": stage}},
                "parallel_layout_item": {"w": LAYOUTS["k"]},
            }
            (tmp_path / "src" / f"{stage}.json").write_text(json.dumps(content))
        serialization.merge_pipeline_strategys(str(tmp_path / "src"), str(tmp_path / "all.json"))
        assert list(serialization.build_searched_strategy(str(tmp_path / "all.json"))) == ["0-w", "1-w"]

    def test_layouts_and_ranks(self, stages):
        merged = str(stages / "merged.ckpt")
        layouts = serialization.build_searched_strategy(merged)
        assert list(layouts) == ["0-a", "0-shared", "1-b", "1-shared"]
        assert layouts["1-b"].tensor_map[0].dim == [-1, 0] and layouts["0-a"].dev_matrix[0].dim == [2]
        assert [serialization.rank_list_for_transform(rank, merged, merged) for rank in range(4)] == [
            [2, 0],
            [3, 1],
            [2, 0],
            [3, 1],
        ]
        assert serialization.rank_list_for_transform(0, merged) == [3, 2, 1, 0]
        assert serialization.rank_list_for_transform(0) == [0]

    def test_two_stages_become_one_device(self, stages):
        a, b = np.arange(8.0).reshape(4, 2), np.arange(12.0).reshape(2, 6)
        parts = [{"a": a[:2]}, {"a": a[2:]}, {"b": b[:, :3]}, {"b": b[:, 3:]}]
        for rank, values in enumerate(parts):
            (stages / "net" / f"rank_{rank}").mkdir(parents=True)
            listed = [{"name": name, "data": Tensor(value)} for name, value in values.items()]
            ms.save_checkpoint(listed, str(stages / "net" / f"rank_{rank}" / "x.ckpt"))
        merged = str(stages / "merged.ckpt")
        serialization.transform_checkpoints(str(stages / "net"), str(stages / "out"), "p", merged)
        made = ms.load_checkpoint(str(stages / "out" / "rank_0" / "p0.ckpt"))
        assert np.array_equal(made["a"].asnumpy(), a) and np.array_equal(made["b"].asnumpy(), b)

    def test_ranks_of_a_group(self, stages):
        assert serialization.restore_group_info_list(str(stages / "group.pb")) == [0, 2, 4]
        with pytest.raises(ValueError, match="no restore rank list"):
            serialization.restore_group_info_list(__file__)

    def test_wrong_files(self, tmp_path):
        (tmp_path / "x.json").write_text("[")
        (tmp_path / "x.ckpt").write_bytes(b"\xff\xff")
        (tmp_path / "empty.ckpt").write_bytes(b"")
        for name, error in (
            ("x.json", ValueError),
            ("x.ckpt", TypeError),
            ("empty.ckpt", ValueError),
            ("no", ValueError),
        ):
            with pytest.raises(error, match=name):
                serialization.build_searched_strategy(str(tmp_path / name))
        with pytest.raises(NotADirectoryError):
            serialization.merge_pipeline_strategys(str(tmp_path / "missing"), str(tmp_path / "all"))
        with pytest.raises(ValueError, match=r"all '\.ckpt' or all '\.json'"):
            serialization.merge_pipeline_strategys(str(tmp_path), str(tmp_path / "all"))


class TestMerging:
    def test_pieces_without_a_strategy_follow_each_other(self):
        parts = [Parameter(Tensor(np.full((2, 3), number, np.float16)), "w") for number in range(2)]
        merged = serialization.merge_sliced_parameter(parts)
        assert merged.name == "w" and merged.shape == (4, 3) and merged.dtype == ms.float16

    @pytest.mark.parametrize("name", "abcdei")
    def test_pieces_with_a_strategy(self, folder, name):
        strategy = serialization.build_searched_strategy(str(folder / f"{name}.json"))
        parts = [Parameter(Tensor(piece), "w") for piece in pieces(name)]
        assert np.array_equal(serialization.merge_sliced_parameter(parts, strategy).asnumpy(), FULL)

    def test_pieces_of_unequal_sizes(self):
        layout = ParallelLayouts([Dims([2, 2])], [Dims([1, 0])], [Dims([2, 2, 3, 3])])
        parts = [Parameter(Tensor(np.full((rows, 2), i)), "w") for i, rows in enumerate([2, 2, 3, 3])]
        merged = serialization.merge_sliced_parameter(parts, {"w": layout}).asnumpy()
        assert merged.tolist() == [[0, 0, 1, 1]] * 2 + [[2, 2, 3, 3]] * 3

    def test_fields_of_an_embedding_table(self):
        layout = ParallelLayouts([Dims([2])], [Dims([0, -1])], field=3)
        parts = [Parameter(Tensor(np.arange(12).reshape(6, 2) + 100 * i), "w") for i in range(2)]
        merged = serialization.merge_sliced_parameter(parts, {"w": layout}).asnumpy()
        assert merged[:, 0].tolist() == [0, 2, 100, 102, 4, 6, 104, 106, 8, 10, 108, 110]

    @pytest.mark.parametrize(
        ("parts", "strategy", "error"),
        [
            ((), None, TypeError),
            ([], None, ValueError),
            ([3], None, TypeError),
            ([Parameter(Tensor([1.0]), "w"), Parameter(Tensor([1.0]), "v")], None, ValueError),
            ([Parameter(Tensor([1.0]), "w")], {"v": None}, KeyError),
            ([Parameter(Tensor([1.0]), "w")], {"w": 3}, ValueError),
            ([Parameter(Tensor([1.0]), "w")], [1], TypeError),
        ],
    )
    def test_refuses(self, parts, strategy, error):
        with pytest.raises(error, match="merge_sliced_parameter"):
            serialization.merge_sliced_parameter(parts, strategy)


class TestLoading:
    def test_pieces_of_a_training_go_into_a_network(self, folder):
        net = nn.Dense(16, 32, has_bias=False)
        strategy = {"parallel_layout_item": {"weight": LAYOUTS["g"]}}
        (folder / "train.json").write_text(json.dumps(strategy))
        files = []
        for rank, piece in enumerate(pieces("g")):
            files.append(str(folder / f"{rank}.ckpt"))
            ms.save_checkpoint([{"name": "weight", "data": Tensor(piece)}], files[-1])
        assert serialization.load_distributed_checkpoint(net, files, None, str(folder / "train.json")) is True
        assert np.array_equal(net.weight.asnumpy(), FULL)
        half = nn.Dense(16, 16, has_bias=False)
        serialization.load_distributed_checkpoint(
            half, files, {"weight": [[2], [0, -1], [], 0]}, str(folder / "train.json")
        )
        assert np.array_equal(half.weight.asnumpy(), FULL[:16])
        with pytest.raises(ValueError, match="device count"):
            serialization.load_distributed_checkpoint(net, files[:2], None, str(folder / "train.json"))
        with pytest.raises(ValueError, match="at index 0"):
            serialization.load_distributed_checkpoint(net, ["no.ckpt"], None, str(folder / "train.json"))

    def test_a_folder_of_safetensors(self, tmp_path):
        source, net = nn.Dense(2, 3), nn.Dense(2, 3)
        ms.save_checkpoint([source.weight], str(tmp_path / "a"), format="safetensors")
        ms.save_checkpoint([source.bias], str(tmp_path / "b"), format="safetensors")
        serialization.load_distributed_checkpoint(net, format="safetensors", unified_safetensors_dir=str(tmp_path))
        assert np.array_equal(net.weight.asnumpy(), source.weight.asnumpy())
        assert np.array_equal(net.bias.asnumpy(), source.bias.asnumpy())

    def test_another_rank_with_the_same_pieces(self, folder):
        for rank in (1, 2):
            (folder / f"rank_{rank}").mkdir()
            ms.save_checkpoint([{"name": "w", "data": Tensor(1)}], str(folder / f"rank_{rank}" / "x.ckpt"))
        wanted = str(folder / "rank_0" / "x.ckpt")
        found = serialization.get_ckpt_path_with_strategy(wanted, str(folder / "d.json"))
        assert found == str(folder / "rank_2" / "x.ckpt")
        assert serialization.get_ckpt_path_with_strategy(wanted, str(folder / "a.json")) is None

    def test_names_that_old_programs_import(self, tmp_path):
        assert serialization.tensor_to_ms_type["BFloat16"] == ms.bfloat16
        assert serialization.tensor_to_np_type("Int8") is np.int8
        with pytest.raises(KeyError, match="Float32"):
            serialization.tensor_to_np_type("float32")
        target = Parameter(Tensor([0.0, 0.0]), name="x")
        serialization._update_param(target, Parameter(Tensor(np.array([1, 2], np.float16))), False)
        assert target.asnumpy().tolist() == [1, 2] and target.dtype == ms.float32
        ms.save_checkpoint([target], str(tmp_path / "x.ckpt"))
        content = (tmp_path / "x.ckpt").read_bytes()
        message = serialization.Checkpoint()
        assert message.ParseFromString(content) == len(content) and message.SerializeToString() == content
