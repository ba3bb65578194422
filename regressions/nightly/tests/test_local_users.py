"""Other users of the machine: what they can reach of a run in progress, which is nothing."""

from __future__ import annotations

import asyncio
import http.client
import os
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest
from distributed import Security
from distributed.comm.core import connect

from regressions.nightly.dask_engine import configure_dask
from regressions.nightly.farm import Farm
from regressions.nightly.local_engine import LocalEngine
from regressions.nightly.slurm_cluster import FarmCluster, WorkerJob, key_in
from regressions.nightly.tests.processes import wait_until
from verif.simulation.guarded_process import guarded_process

SECONDS = 60


@pytest.fixture
def engine() -> Iterator[LocalEngine]:
    made = LocalEngine(2)
    yield made
    made.close()


def listening() -> set[tuple[str, int]]:
    """Return the addresses on which this process and its descendants wait for connections."""
    this = psutil.Process()
    found = [each for process in (this, *this.children(recursive=True)) for each in process.net_connections()]
    return {(each.laddr.ip, each.laddr.port) for each in found if each.status == psutil.CONN_LISTEN}


def answers(host: str, port: int, security: Security | None) -> bool:
    """Does a dask server answer there?"""

    async def ask() -> None:
        scheme = "tcp" if security is None else "tls"
        how = {} if security is None else security.get_connection_args("client")
        comm = await connect(f"{scheme}://{host}:{port}", timeout=SECONDS, **how)
        await comm.write({"op": "identity", "reply": True})
        assert (await comm.read())["type"]
        comm.abort()

    try:
        asyncio.run(asyncio.wait_for(ask(), 2))
    except (OSError, TimeoutError):
        return False
    return True


def answers_http(host: str, port: int) -> bool:
    connection = http.client.HTTPConnection(host, port, timeout=SECONDS)
    try:
        connection.request("GET", "/info/main/workers.html")
        connection.getresponse()
    except (OSError, http.client.HTTPException):
        return False
    return True


def test_no_port_of_a_run_answers_without_its_key(engine: LocalEngine) -> None:
    ports = listening()
    assert len(ports) == 5, "scheduler, two nannies, two workers"
    assert {host for host, _ in ports} == {"127.0.0.1"}
    for host, port in ports:
        assert answers(host, port, engine._cluster.security), "with the key it does"
        assert not answers(host, port, None)
        assert not answers(host, port, Security.temporary())
        assert not answers_http(host, port)


def test_a_connection_that_says_nothing_does_not_stop_a_run(engine: LocalEngine) -> None:
    silent = [socket.create_connection(address) for address in listening()]
    engine.submit("a", abs, -3)
    assert [ended.result for ended in engine.ended()] == [3]
    for each in silent:
        each.close()


def test_files_of_workers_are_for_their_user_alone(engine: LocalEngine) -> None:
    assert engine._scratch.directory.stat().st_mode & 0o777 == 0o700


def test_the_key_of_a_farm_is_for_its_user_alone(tmp_path: Path) -> None:
    key_in(tmp_path)
    assert {path.name: path.stat().st_mode & 0o777 for path in tmp_path.iterdir()} == dict.fromkeys(
        ("ca_file", "cert", "key"), 0o600
    )


def test_no_port_of_a_farm_answers_without_its_key(tmp_path: Path) -> None:
    """Slurm is not needed: the worker job's script is run as it is, on this machine."""
    configure_dask({"temporary-directory": str(tmp_path)})
    farm = Farm(workers=1, memory="1GB", walltime="00:10:00", interface="lo")
    with FarmCluster(farm, tmp_path, key_in(tmp_path), "ga2-test") as cluster:
        make_job: Any = WorkerJob
        job = make_job(cluster.scheduler.address, **cluster.new_spec["options"], name="here")
        with guarded_process(["bash", "-c", job.job_script()], tmp_path, os.environ):
            wait_until(lambda: bool(cluster.workers_here()), "its worker is there")
            ports = listening()
            assert len(ports) == 3, "scheduler, nanny, worker"
            for host, port in ports:
                assert answers(host, port, cluster.security), "with the key it does"
                assert not answers(host, port, None)
                assert not answers_http(host, port)
