"""How processes learn which one they are, and where they meet."""

import json

import pytest

from mindspore._engine.cluster import rendezvous
from mindspore._engine.config import config


@pytest.fixture
def told():
    """Read configuration from a dict."""
    yield config.reload
    config.reload()


@pytest.mark.parametrize(
    ("text", "host"),
    [
        ("123.0;tcp://10.0.0.1,192.168.0.1:4242", "10.0.0.1"),
        ("1299578880.0;tcp://192.0.2.2:43597;tcp6://[fd00::2]:44863", "192.0.2.2"),
        ("1299578880.0;tcp6://[fd00::2]:44863;tcp://192.0.2.2:43597", "192.0.2.2"),
        ("1299578880.0;tcp6://[fd00::2]:44863", "[fd00::2]"),
        ("prterun-host-1@0.0;tcp4://10.1.1.1:40", "10.1.1.1"),
    ],
)
def test_the_host_of_mpirun_is_found_in_what_it_tells(text, host):
    assert rendezvous._host_in(text) == host


@pytest.mark.parametrize(
    ("variables", "place"),
    [
        ({}, (0, 1, 0, 1)),
        ({"RANK_ID": "1", "RANK_SIZE": "2"}, (1, 2, 1, 2)),
        ({"MS_NODE_ID": "1", "MS_WORKER_NUM": "2", "MS_ROLE": "MS_WORKER"}, (1, 2, 1, 2)),
        ({"RANK_ID": "3", "MS_WORKER_NUM": "4", "MPI_LOCALRANKID": "1", "MPI_LOCALNRANKS": "2"}, (3, 4, 1, 2)),
        (
            {
                "OMPI_COMM_WORLD_RANK": "3",
                "OMPI_COMM_WORLD_SIZE": "4",
                "OMPI_COMM_WORLD_LOCAL_RANK": "1",
                "OMPI_COMM_WORLD_LOCAL_SIZE": "2",
            },
            (3, 4, 1, 2),
        ),
    ],
)
def test_every_launcher_says_which_process_this_is(variables, place, told):
    told(variables)
    assert rendezvous.from_environment() == place


def test_a_number_beyond_the_job_is_refused(told):
    told({"RANK_ID": "2", "RANK_SIZE": "2"})
    with pytest.raises(RuntimeError, match="gave this process number 2, but says there are only 2"):
        rendezvous.from_environment()


def test_the_address_comes_from_the_variables(told):
    told({"RANK_ID": "1", "RANK_SIZE": "2", "MS_SCHED_HOST": "192.0.2.7", "MS_SCHED_PORT": "4242"})
    assert rendezvous.address(rendezvous.from_environment()) == "192.0.2.7:4242"


def test_processes_on_several_machines_agree_on_the_address_of_mpirun(told):
    shared = {"OMPI_COMM_WORLD_SIZE": "4", "OMPI_COMM_WORLD_LOCAL_SIZE": "2", "PMIX_NAMESPACE": "job7"}
    shared["OMPI_MCA_orte_hnp_uri"] = "129.0;tcp://192.0.2.2:43597;tcp6://[fd00::2]:44863"
    found = set()
    for rank in ("0", "3"):
        told({**shared, "OMPI_COMM_WORLD_RANK": rank})
        found.add(rendezvous.address(rendezvous.from_environment()))
    (address,) = found
    assert address.startswith("192.0.2.2:2")


def test_a_rank_table_names_the_machine_of_the_first_process(told, tmp_path):
    table = tmp_path / "table.json"
    servers = [
        {"server_id": "192.0.2.9", "device": [{"device_id": "0", "rank_id": "1"}]},
        {"server_id": "192.0.2.8", "device": [{"device_id": "0", "rank_id": "0"}]},
    ]
    table.write_text(json.dumps({"server_list": servers}))
    told({"RANK_ID": "1", "RANK_SIZE": "2", "RANK_TABLE_FILE": str(table)})
    assert rendezvous.address(rendezvous.from_environment()).startswith("192.0.2.8:2")
    table.write_text("{}")
    with pytest.raises(RuntimeError, match=r"RANK_TABLE_FILE.*'server_list'"):
        rendezvous.address(rendezvous.from_environment())
