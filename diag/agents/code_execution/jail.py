"""The jail: run a program in namespaces of its own, on a root of its own, without network, capabilities or way out.

A program by itself (`python jail.py JSON`), standard library only. Linux on x86-64 or arm64. Order: new user, mount,
pid, net, ipc and uts namespaces; a root of bind mounts, read-only but for the job's folder and a small /tmp; pivot;
limits; no capabilities; no_new_privs; a seccomp filter; exec. Anything that fails ends it with exit code 97 before the
program runs.

The program is init of its pid namespace: when it dies, the kernel ends whatever is in there before its death is told.
The host holds it by a pidfd that this process hands over before the program may begin; this process stays outside of
the namespace and the program's session, out of its reach, and kills it too if the host closes its end or is killed.
"""

from __future__ import annotations

import ctypes
import json
import os
import platform
import resource
import select
import signal
import socket
import struct
import sys
from pathlib import Path
from typing import Any

FAILED = 97
_GO = b"g"
_NAMESPACES = 0x10000000 | 0x00020000 | 0x20000000 | 0x40000000 | 0x08000000 | 0x04000000
_NAMESPACE_FLAGS = _NAMESPACES | 0x02000000 | 0x00000080
_MS_RDONLY, _MS_NOSUID, _MS_NODEV, _MS_REMOUNT, _MS_BIND, _MS_REC, _MS_PRIVATE = 1, 2, 4, 32, 4096, 16384, 1 << 18
_DETACH = 2
_PR_SET_PDEATHSIG, _PR_CAPBSET_DROP, _PR_SET_NO_NEW_PRIVS, _PR_SET_SECCOMP = 1, 24, 38, 22
_DEVICES = ("null", "zero", "urandom")
# name: (x86-64, arm64); denied with EPERM, clone3 with ENOSYS so that the C library falls back to clone
_DENIED = {
    "socket": (41, 198), "ptrace": (101, 117), "mount": (165, 40), "umount2": (166, 39), "chroot": (161, 51),
    "pivot_root": (155, 41), "unshare": (272, 97), "setns": (308, 268), "bpf": (321, 280), "keyctl": (250, 219),
    "add_key": (248, 217), "request_key": (249, 218), "perf_event_open": (298, 241), "kexec_load": (246, 104),
    "init_module": (175, 105), "finit_module": (313, 273), "open_by_handle_at": (304, 265), "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271),
    "fsopen": (430, 430), "open_tree": (428, 428), "move_mount": (429, 429), "reboot": (169, 142),
    "socketpair": (53, 199), "fsmount": (432, 432), "mount_setattr": (442, 442), "pidfd_getfd": (438, 438),
    # memory that belongs to no address space, so that no limit of an address space holds it
    "memfd_create": (319, 279), "memfd_secret": (447, 447), "shmget": (29, 194), "msgget": (68, 186),
    "semget": (64, 190), "mq_open": (240, 180), "vmsplice": (278, 75), "io_setup": (206, 0),
}  # fmt: skip
_PRCTL = (157, 167)
_CLONE, _CLONE3, _FORKS = (56, 220), (435, 435), ((57, 58), ())
_CLONE_THREAD = 0x00010000
"""Only threads may be made: a limit of processes does not bind the machine's own root."""
_ARCHITECTURES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}

_libc = ctypes.CDLL(None, use_errno=True)


def main(job: dict[str, Any]) -> None:
    """Run the job; never returns."""
    uid, gid = os.getuid(), os.getgid()
    _call("unshare", _libc.unshare(_NAMESPACES))
    Path("/proc/self/setgroups").write_text("deny")
    Path("/proc/self/uid_map").write_text(f"0 {uid} 1")
    Path("/proc/self/gid_map").write_text(f"0 {gid} 1")
    control = socket.socket(fileno=job["control"])
    control.set_inheritable(False)
    wait_for, tell = os.pipe()
    child = os.fork()
    if child:
        os.close(wait_for)
        _guard(control, child, tell)
    os.close(tell)
    control.close()
    os.setsid()  # `kill(0, ...)` reaches the whole group, across namespaces
    if os.read(wait_for, 1) != _GO:
        os._exit(FAILED)
    os.close(wait_for)
    _call("prctl", _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0))
    _enter(job)
    _limit(job["limits"])
    _forbid()
    os.execve(job["argv"][0], job["argv"], job["environment"])  # noqa: S606 - a fixed program, no shell


def _guard(control: socket.socket, child: int, tell: int) -> None:
    """Hand the child's pidfd to the host, let the child begin, and end with it; kill it once the host is gone."""
    held = os.pidfd_open(child)
    socket.send_fds(control, [str(child).encode()], [held])
    if control.recv(1) == _GO:
        os.write(tell, _GO)
    os.close(tell)
    poll = select.poll()
    poll.register(control, select.POLLIN)
    poll.register(held, select.POLLIN)
    while held not in (ready := [number for number, _ in poll.poll()]):
        if ready:
            signal.pidfd_send_signal(held, signal.SIGKILL)
            poll.unregister(control)
    _, status = os.waitpid(child, 0)
    os._exit(os.waitstatus_to_exitcode(status) & 0xFF if os.WIFEXITED(status) else 128 + os.WTERMSIG(status))


def _enter(job: dict[str, Any]) -> None:
    """Build the root and make it the only one."""
    root = Path(job["root"])
    _mount(None, "/", None, _MS_REC | _MS_PRIVATE)
    _mount("tmpfs", str(root), "tmpfs", _MS_NOSUID | _MS_NODEV, "size=8m,mode=755")
    for source, target in job["read_only"]:
        _bind(source, root, target, read_only=True)
    for target in job["hidden"]:
        if (root / target.lstrip("/")).is_dir():
            _mount("tmpfs", str(root / target.lstrip("/")), "tmpfs", _MS_NOSUID | _MS_NODEV | _MS_RDONLY, "size=4k")
    for source, target in job["late_read_only"]:
        _bind(source, root, target, read_only=True)
    for name in _DEVICES:
        _bind(f"/dev/{name}", root, f"/dev/{name}", read_only=False)
    _bind(job["job"], root, "/job", read_only=False)
    (root / "tmp").mkdir()
    _mount("tmpfs", str(root / "tmp"), "tmpfs", _MS_NOSUID | _MS_NODEV, "size=32m,nr_inodes=4096")
    (root / ".old").mkdir()
    _call("pivot_root", _libc.syscall(_DENIED["pivot_root"][_architecture()[0]], bytes(root), bytes(root / ".old")))
    os.chdir("/job")
    _call("umount", _libc.umount2(b"/.old", _DETACH))
    Path("/.old").rmdir()
    _mount(None, "/", None, _MS_REMOUNT | _MS_BIND | _MS_RDONLY | _MS_NOSUID | _MS_NODEV)


def _bind(source: str, root: Path, target: str, *, read_only: bool) -> None:
    place = root / target.lstrip("/")
    if Path(source).is_symlink() and source == target:  # /lib -> usr/lib
        place.symlink_to(Path(source).readlink())
        return
    if Path(source).is_dir():
        place.mkdir(parents=True, exist_ok=True)
    else:
        place.parent.mkdir(parents=True, exist_ok=True)
        place.touch()
    _mount(source, str(place), None, _MS_BIND | _MS_REC)
    if read_only:
        _mount(None, str(place), None, _MS_REMOUNT | _MS_BIND | _MS_RDONLY | _MS_NOSUID | _MS_NODEV)


def _limit(limits: dict[str, int]) -> None:
    for name, value in limits.items():
        resource.setrlimit(getattr(resource, f"RLIMIT_{name}"), (value, value))


def _forbid() -> None:
    """Drop every capability for good and install the filter."""
    for capability in range(64):
        if _libc.prctl(_PR_CAPBSET_DROP, capability, 0, 0, 0) != 0:
            break  # beyond the last one this kernel knows
    _call("prctl", _libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
    program = _filter()
    buffer = ctypes.create_string_buffer(program, len(program))
    fprog = struct.pack("HxxxxxxQ", len(program) // 8, ctypes.addressof(buffer))
    _call("seccomp", _libc.prctl(_PR_SET_SECCOMP, 2, fprog, 0, 0))


def _filter() -> bytes:
    """Return the seccomp program: other architectures die; listed calls, new processes and namespaces are refused."""
    column, audit = _architecture()
    load_word, jump_equal, jump_any, jump_at_least, ret = 0x20, 0x15, 0x45, 0x35, 0x06
    allow, kill, eperm, enosys = 0x7FFF0000, 0x80000000, 0x00050000 | 1, 0x00050000 | 38

    def one(code: int, value: int, yes: int = 0, no: int = 0) -> bytes:
        return struct.pack("HBBI", code, yes, no, value)

    steps = [one(load_word, 4), one(jump_equal, audit, 1, 0), one(ret, kill), one(load_word, 0)]
    steps += [one(jump_at_least, 0x40000000, 0, 1), one(ret, eperm)]  # the x32 numbers
    for numbers in _DENIED.values():
        steps += [one(jump_equal, numbers[column], 0, 1), one(ret, eperm)]
    steps += [one(jump_equal, _CLONE3[column], 0, 1), one(ret, enosys)]
    steps += [one(jump_equal, _PRCTL[column], 0, 4), one(load_word, 16)]  # the parent's death stays deadly
    steps += [one(jump_equal, _PR_SET_PDEATHSIG, 0, 1), one(ret, eperm), one(ret, allow)]
    for number in _FORKS[column]:
        steps += [one(jump_equal, number, 0, 1), one(ret, eperm)]
    steps += [one(jump_equal, _CLONE[column], 0, 4), one(load_word, 16), one(jump_any, _CLONE_THREAD, 0, 1)]
    steps += [one(jump_any, _NAMESPACE_FLAGS, 0, 1), one(ret, eperm), one(ret, allow)]
    return b"".join(steps)


def _architecture() -> tuple[int, int]:
    machine = platform.machine()
    if machine not in _ARCHITECTURES:
        raise OSError(f"no filter for {machine}")
    return _ARCHITECTURES[machine]


def _mount(source: str | None, target: str, kind: str | None, flags: int, data: str | None = None) -> None:
    words = [None if word is None else word.encode() for word in (source, target, kind)]
    done = _libc.mount(*words, ctypes.c_ulong(flags), None if data is None else data.encode())
    _call(f"mount {target}", done)


def _call(what: str, result: int) -> None:
    if result != 0:
        raise OSError(ctypes.get_errno(), f"{what}: {os.strerror(ctypes.get_errno())}")


if __name__ == "__main__":
    try:
        main(json.loads(sys.argv[1]))
    except BaseException as error:
        sys.stderr.write(f"jail: {error}\n")
        sys.stderr.flush()
        os._exit(FAILED)
