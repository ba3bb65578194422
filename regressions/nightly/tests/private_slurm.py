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

from regressions.nightly.tests.processes import kill_all, nothing_left_of, processes_of, wait_until

NODES = ("n1", "n2")

_COMMANDS = ("munged", "slurmctld", "slurmd", "sbatch")

_PORTS = range(20_000, 30_000)
"""Below those that the kernel gives to whoever connects, which would be lost while a daemon is away."""

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
    """Its daemons, each of which can be killed by itself."""

    def __init__(self, directory: Path, ports: list[int]) -> None:
        self.directory = directory
        self.configuration = directory / "slurm.conf"
        self._ports = ports
        self._daemons: dict[str, subprocess.Popen[bytes]] = {}

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
        wait_until(options["socket"].exists, "munged answers")
        self.start_controller()
        for node in NODES:
            (self.directory / f"spool.{node}").mkdir()
            self.start_node(node)
        wait_until(lambda: self.states() == ["idle"] * len(NODES), "all nodes are idle")

    def stop(self) -> None:
        """Kill the daemons."""
        for name in list(self._daemons):
            self._kill(name)

    def start_controller(self) -> None:
        self._run("slurmctld", "slurmctld", "-D")

    def kill_controller(self) -> None:
        self._kill("slurmctld")

    def start_node(self, node: str) -> None:
        self._run(node, "slurmd", "-D", "-N", node)

    def kill_node(self, node: str) -> list[int]:
        """Kill a node's daemons and all that it runs, as if its power had failed; return what it ran."""
        running = self.processes_on(node)
        self._kill(node)
        kill_all(_steps_of(running))  # or they would tell the controller that their job has ended
        kill_all(running)
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

    def described(self) -> str:
        """Return what its daemons say of jobs and nodes, for a test that does not end."""
        asked = [["squeue"], ["sinfo", "-N"], ["sinfo", "-R"]]
        told = [subprocess.run(each, capture_output=True, text=True, timeout=60) for each in asked]
        logs = [path.read_text(errors="replace")[-1500:] for path in sorted(self.directory.glob("*.log"))]
        return "\n".join([*(each.stdout + each.stderr for each in told), *logs])

    def ask(self, *command: str) -> str:
        environment = {**os.environ, "SLURM_CONF": str(self.configuration)}
        done = subprocess.run(
            command, env=environment, capture_output=True, text=True, check=True, timeout=60
        )
        return done.stdout

    def _configure(self) -> None:
        host = socket.gethostname().partition(".")[0]
        controller_port, *ports = self._ports
        text = _CONFIGURATION.format(host=host, controller_port=controller_port, directory=self.directory)
        for node, port in zip(NODES, ports, strict=True):
            text += (
                f"NodeName={node} NodeHostname={host} NodeAddr=127.0.0.1 Port={port} CPUs=1 RealMemory=2000\n"
            )
        self.configuration.write_text(text, encoding="utf-8")

    def _run(self, name: str, *command: str) -> None:
        """Start a daemon in the foreground, its output in a file."""
        environment = {**os.environ, "SLURM_CONF": str(self.configuration)}
        with (self.directory / f"{name}.log").open("ab") as log:
            self._daemons[name] = subprocess.Popen(
                command,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def _kill(self, name: str) -> None:
        daemon = self._daemons.pop(name)
        with suppress(ProcessLookupError):
            os.killpg(daemon.pid, SIGKILL)
        daemon.wait()


@contextmanager
def private_slurm() -> Iterator[PrivateSlurm]:
    """Start one in a directory of its own. Nothing of it is left, even if this process is killed."""
    directory = Path(tempfile.mkdtemp(prefix="ga2-slurm-"))  # short: it holds a socket
    directory.chmod(0o755)
    with reserved_ports(1 + len(NODES)) as ports, nothing_left_of(directory):
        slurm = PrivateSlurm(directory, ports)
        try:
            slurm.start()
            yield slurm
        finally:
            slurm.stop()


@contextmanager
def reserved_ports(number: int) -> Iterator[list[int]]:
    """Find TCP ports that are free, and keep others like this from them: who has its UDP port has a port."""
    with ExitStack() as held:
        ports: list[int] = []
        for port in _PORTS:
            if len(ports) == number:
                break
            mark = held.enter_context(socket.socket(type=socket.SOCK_DGRAM))
            with socket.socket() as tried, suppress(OSError):
                mark.bind(("127.0.0.1", port))
                tried.bind(("", port))
                ports.append(port)
        yield ports


def _steps_of(processes: list[int]) -> set[int]:
    """Return the slurmstepd processes that started these."""
    parents = set()
    for process in processes:
        with suppress(OSError):
            parents.add(int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1]))
    named = {parent: Path(f"/proc/{parent}/comm") for parent in parents}
    return {parent for parent, path in named.items() if path.exists() and "slurmstepd" in path.read_text()}
