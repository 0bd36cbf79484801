"""What a cluster may do to a run: the window, deaths, a lost cluster, attempts taken over; the number of workers."""

import socket
import threading
import time
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, ThreadPoolExecutor, wait

import pytest

from diag.config import Backend
from diag.errors import ConfigError, CorruptRecord
from diag.records import Outcome, Unit
from diag.records.study_folder import StudyFolder
from diag.running import cluster as clusters
from diag.running.attempt import Job
from diag.running.backend import Workers, free_memory_bytes
from diag.running.cluster import ClusterLost, WorkersDied, fenced, require_answer, run_on

GIB = 1024**3


def unit(name: str) -> Unit:
    return Unit(name, "b", "D", "A", 1, "c", "0", "level", seed=1, order=0)


class Death(Exception):
    pass


class Threads:
    """A cluster of four threads; tasks named `dies` kill their worker."""

    deaths = (Death,)

    def __init__(self) -> None:
        self.pool = ThreadPoolExecutor(8)
        self.now = self.most = 0
        self.lock = threading.Lock()

    def size(self) -> int:
        return 4

    def submit(self, task, job, unit, attempt) -> Future:
        return self.pool.submit(self._work, unit.unit_id)

    def _work(self, name: str) -> str:
        with self.lock:
            self.now += 1
            self.most = max(self.most, self.now)
        time.sleep(0.01 if name != "slow" else 0.1)
        with self.lock:
            self.now -= 1
        if name == "dies":
            raise Death("signal 9")
        return name

    def wait(self, futures):
        return list(wait(futures, timeout=1, return_when=FIRST_COMPLETED).done)

    def result(self, future):
        return future.result(timeout=0)


def run(names, n_jobs, cluster=None):
    cluster = cluster or Threads()
    return cluster, run_on(cluster, None, [(unit(name), 1) for name in names], n_jobs=n_jobs)


@pytest.mark.parametrize(("n_jobs", "most"), [(1, 1), (3, 3), (None, 4)])
def test_as_many_run_at_a_time_as_asked_for_or_as_the_cluster_takes(n_jobs, most):
    names = [f"u{number}" for number in range(20)]
    cluster, statuses = run(names, n_jobs)
    assert sorted(statuses) == sorted(names)
    assert cluster.most == most


def test_when_a_worker_dies_what_runs_beside_it_is_finished_and_nothing_new_begins():
    _, statuses = run(["dies", "slow", *(f"u{number}" for number in range(9))], 2)
    assert next(statuses) == "slow"
    with pytest.raises(WorkersDied, match="signal 9"):
        next(statuses)


class Grades:
    """An executor whose attempt is its log; it waits for a word when it is told to."""

    browser = False

    def __init__(self, gate: threading.Event | None = None) -> None:
        self.gate = gate
        self.began = threading.Event()

    def execute(self, unit, attempt, *, log_path, pictures):
        log_path.write_text("")
        self.began.set()
        if self.gate:
            assert self.gate.wait(10)
        from diag.records import InfrastructureFailure

        raise InfrastructureFailure("api", "late" if self.gate else "first")

    def grade(self, events, unit) -> Outcome:
        raise AssertionError


def test_an_attempt_that_a_later_run_took_over_is_not_sealed(tmp_path):
    gate, slow, folder = threading.Event(), None, StudyFolder(tmp_path)
    slow = Grades(gate)
    with ThreadPoolExecutor(1) as pool:
        late = pool.submit(fenced, Job(folder, slow, "hash", None), unit("u"), 1)
        assert slow.began.wait(10)
        folder.set_aside_partials(("u",))  # the next run begins
        other = Grades(threading.Event())
        with ThreadPoolExecutor(1) as second:
            mine = second.submit(fenced, Job(folder, other, "hash", None), unit("u"), 1)
            assert other.began.wait(10)
            gate.set()
            with pytest.raises(CorruptRecord, match="taken over by another run"):
                late.result(10)
            assert folder.attempts("u") == ()
            other.gate.set()
            assert mine.result(10).validity == "infrastructure_failure"
    assert [status.attempt for status in folder.attempts("u")] == [1]
    assert not (folder.attempt_folder("u", 1) / "mark").exists()
    assert fenced(Job(folder, None, "hash", None), unit("u"), 1) == folder.status("u", 1)  # asked for again: not played


def test_a_dead_address_is_one_line_at_once():
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        port = closed.getsockname()[1]
    began = time.monotonic()
    with pytest.raises(ConfigError, match=f"execution=dask: nothing answers at tcp://127.0.0.1:{port}: "):
        require_answer(f"tcp://127.0.0.1:{port}", "dask")
    assert time.monotonic() - began < 5


@pytest.mark.parametrize("address", [None, "auto", "local"])
def test_an_address_that_names_no_port_is_left_to_the_client(address):
    require_answer(address, "ray")


@pytest.mark.parametrize("backend", [Backend.dask, Backend.ray])
def test_a_missing_extra_is_said_with_the_command_that_installs_it(backend, monkeypatch):
    def missing(name: str):
        raise ImportError(name)

    monkeypatch.setattr(clusters.importlib, "import_module", missing)
    with pytest.raises(
        ConfigError, match=rf'execution={backend.value} .*pip install "gui-diagnostics\[{backend.value}\]"'
    ):
        list(Workers(backend, 2).run(None, []))


class Emptied:
    """A Dask client whose workers are all gone."""

    status = "running"

    def scheduler_info(self, n_workers: int):
        return {"workers": {}}

    def as_current(self):
        import contextlib

        return contextlib.nullcontext()


def wait_long(cluster, pending) -> None:
    for _ in range(100):
        cluster.wait([pending])


def test_a_cluster_without_workers_ends_the_run_in_bounded_time(monkeypatch):
    class Distributed:
        TimeoutError = TimeoutError

        class scheduler:  # noqa: N801 - a module's name
            KilledWorker = Death

        class client:  # noqa: N801 - a module's name
            FutureCancelledError = FuturesCancelledError = CancelledError

        class comm:  # noqa: N801 - a module's name
            CommClosedError = ConnectionResetError

        @staticmethod
        def wait(futures, timeout, return_when):
            time.sleep(0.01)
            raise TimeoutError

    monkeypatch.setattr(clusters, "NO_WORKERS_S", 0.05)
    cluster = clusters._Dask(Emptied(), Distributed)
    pending = type("Pending", (), {"done": lambda self: False})()
    with pytest.raises(ClusterLost, match="the same command goes on"):
        wait_long(cluster, pending)


def test_free_memory_is_the_machine_s_or_the_container_s_whichever_is_less(tmp_path):
    proc, cgroup = tmp_path / "meminfo", tmp_path / "cgroup"
    assert free_memory_bytes(proc, cgroup) is None
    proc.write_text("MemTotal: 9 kB\nMemAvailable: 2048 kB\n")
    assert free_memory_bytes(proc, cgroup) == 2048 * 1024
    cgroup.mkdir()
    (cgroup / "memory.current").write_text("1000\n")
    (cgroup / "memory.max").write_text("max\n")
    assert free_memory_bytes(proc, cgroup) == 2048 * 1024
    (cgroup / "memory.max").write_text("5000\n")
    assert free_memory_bytes(proc, cgroup) == 4000
