"""A Slurm of its own for a test: a controller and two nodes, all of them on this machine."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from signal import SIGKILL

from regressions.nightly.tests.fakes import processes_of, wait_until
from verif.guarded_process import guarded_process

NODES = ("n1", "n2")

_COMMANDS = ("munged", "slurmctld", "slurmd", "sbatch")

_CONFIGURATION = """\
ClusterName=private
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller_port}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={directory}/munge.socket
CredType=cred/munge
SlurmctldPidFile={directory}/slurmctld.pid
SlurmdPidFile={directory}/slurmd.%n.pid
StateSaveLocation={directory}/state
SlurmdSpoolDir={directory}/spool.%n
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=sched_interval=1,sched_min_interval=0,batch_sched_delay=0,bf_interval=1
SlurmdParameters=config_overrides
ReturnToService=2
SlurmdTimeout=10
MessageTimeout=5
KillWait=2
PartitionName=sim Nodes=ALL Default=YES MaxTime=1:00:00 State=UP
"""


def why_there_is_none() -> str:
    """Return why a private Slurm cannot be started here; nothing if it can."""
    missing = [command for command in _COMMANDS if shutil.which(command) is None]
    if missing:
        return f"no Slurm here ({', '.join(missing)}): install the Debian packages slurm-wlm and munge"
    return "" if os.getuid() == 0 else "Slurm's daemons need root"


class PrivateSlurm:
    """Its daemons, each of which can be killed by itself; they die with this process in any case."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.configuration = directory / "slurm.conf"
        self._daemons: dict[str, ExitStack] = {}

    def start(self) -> None:
        key = self.directory / "munge.key"
        key.write_bytes(os.urandom(1024))
        key.chmod(0o400)
        (self.directory / "state").mkdir()
        self._configure()
        options = {"key-file": key, "socket": self.directory / "munge.socket"}
        options |= {name: self.directory / f"munge.{name}" for name in ("pid-file", "log-file", "seed-file")}
        self._run(
            "munged", "munged", "-F", "--force", *(f"--{name}={path}" for name, path in options.items())
        )
        wait_until(options["socket"].exists, "munged answers", 20)
        self.start_controller()
        for node in NODES:
            (self.directory / f"spool.{node}").mkdir()
            self.start_node(node)
        wait_until(lambda: self.states() == ["idle"] * len(NODES), "all nodes are idle", 30)

    def stop(self) -> None:
        """Kill the daemons and whatever they started."""
        for name in list(self._daemons):
            self._kill(name)
        self._kill_all(processes_of(self.directory))

    def start_controller(self) -> None:
        self._run("slurmctld", "slurmctld", "-D")

    def kill_controller(self) -> None:
        self._kill("slurmctld")

    def start_node(self, node: str) -> None:
        self._run(node, "slurmd", "-D", "-N", node)

    def kill_node(self, node: str) -> list[int]:
        """Kill a node's daemon and all that it runs, as if its power had failed; return what it ran."""
        self._kill(node)
        running = self.processes_on(node)
        self._kill_all(running)
        return running

    def processes_on(self, node: str) -> list[int]:
        """Return the processes of jobs on a node."""
        mark = f"SLURMD_NODENAME={node}\0".encode()
        found = []
        for process in processes_of(self.directory):
            with suppress(OSError):
                if mark in Path(f"/proc/{process}/environ").read_bytes():
                    found.append(process)
        return found

    def jobs(self, state: str = "running") -> dict[str, str]:
        """Return the jobs in a state, each with its node, empty while it has none."""
        lines = self.ask("squeue", "-h", "-t", state, "-o", "%A,%N").split()
        return dict(line.split(",") for line in lines)

    def states(self) -> list[str]:
        """Return the states of the nodes; none while the controller does not answer."""
        try:
            return self.ask("sinfo", "-h", "-N", "-o", "%t").split()
        except subprocess.CalledProcessError:
            return []

    def ask(self, *command: str) -> str:
        environment = {**os.environ, "SLURM_CONF": str(self.configuration)}
        done = subprocess.run(
            command, env=environment, capture_output=True, text=True, check=True, timeout=60
        )
        return done.stdout

    def _configure(self) -> None:
        host = socket.gethostname().partition(".")[0]
        controller_port, *ports = _free_ports(1 + len(NODES))
        text = _CONFIGURATION.format(host=host, controller_port=controller_port, directory=self.directory)
        for node, port in zip(NODES, ports, strict=True):
            text += (
                f"NodeName={node} NodeHostname={host} NodeAddr=127.0.0.1 Port={port} CPUs=1 RealMemory=2000\n"
            )
        self.configuration.write_text(text, encoding="utf-8")

    def _run(self, name: str, *command: str) -> None:
        """Start a daemon in the foreground, its output in a file."""
        environment = {**os.environ, "SLURM_CONF": str(self.configuration)}
        log = self.directory / f"{name}.log"
        into_log = ["bash", "-c", f'exec "$@" >>{log} 2>&1', name, *command]
        self._daemons[name] = ExitStack()
        self._daemons[name].enter_context(guarded_process(into_log, self.directory, environment))

    def _kill(self, name: str) -> None:
        self._daemons.pop(name).close()  # its guard kills it

    def _kill_all(self, processes: list[int]) -> None:
        for process in processes:
            with suppress(ProcessLookupError):
                os.kill(process, SIGKILL)


@contextmanager
def private_slurm() -> Iterator[PrivateSlurm]:
    """Start one in a directory of its own, and stop it whatever happens."""
    directory = Path(tempfile.mkdtemp(prefix="ga2-slurm-"))  # short: it holds a socket
    directory.chmod(0o755)
    slurm = PrivateSlurm(directory)
    try:
        slurm.start()
        yield slurm
    finally:
        slurm.stop()
        shutil.rmtree(directory, ignore_errors=True)


def _free_ports(number: int) -> list[int]:
    with ExitStack() as held:
        sockets = [held.enter_context(socket.socket()) for _ in range(number)]
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]
