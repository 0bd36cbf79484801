"""The seccomp program of both machines, run by an interpreter of classic BPF: what it allows, refuses and kills.

The kernel runs the x86-64 program for real in `test_code_sandbox.py`; here each machine's program is checked against
the machine's own system call numbers, written out from the kernel's tables (`asm/unistd_64.h`, `asm-generic/unistd.h`).
"""

import struct

import pytest

from diag.agents.code_execution import jail

ALLOW, KILL, EPERM, ENOSYS = 0x7FFF0000, 0x80000000, 0x00050001, 0x00050026
MACHINES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
REFUSED = {
    "x86_64": {
        "socket": 41, "ptrace": 101, "mount": 165, "umount2": 166, "chroot": 161, "pivot_root": 155, "unshare": 272,
        "setns": 308, "bpf": 321, "keyctl": 250, "add_key": 248, "request_key": 249, "perf_event_open": 298,
        "kexec_load": 246, "init_module": 175, "finit_module": 313, "open_by_handle_at": 304, "userfaultfd": 323,
        "io_uring_setup": 425, "process_vm_readv": 310, "process_vm_writev": 311, "fsopen": 430, "open_tree": 428,
        "move_mount": 429, "reboot": 169, "fork": 57, "vfork": 58, "socketpair": 53, "fsmount": 432,
        "mount_setattr": 442, "pidfd_getfd": 438, "memfd_create": 319, "memfd_secret": 447, "shmget": 29, "msgget": 68,
        "semget": 64, "mq_open": 240, "vmsplice": 278, "io_setup": 206,
    },
    "aarch64": {
        "socket": 198, "ptrace": 117, "mount": 40, "umount2": 39, "chroot": 51, "pivot_root": 41, "unshare": 97,
        "setns": 268, "bpf": 280, "keyctl": 219, "add_key": 217, "request_key": 218, "perf_event_open": 241,
        "kexec_load": 104, "init_module": 105, "finit_module": 273, "open_by_handle_at": 265, "userfaultfd": 282,
        "io_uring_setup": 425, "process_vm_readv": 270, "process_vm_writev": 271, "fsopen": 430, "open_tree": 428,
        "move_mount": 429, "reboot": 142, "socketpair": 199, "fsmount": 432, "mount_setattr": 442, "pidfd_getfd": 438,
        "memfd_create": 279, "memfd_secret": 447, "shmget": 194, "msgget": 186, "semget": 190, "mq_open": 180,
        "vmsplice": 75, "io_setup": 0,
    },
}  # fmt: skip
USED = {
    "x86_64": {"read": 0, "write": 1, "close": 3, "mmap": 9, "brk": 12, "execve": 59, "openat": 257, "futex": 202,
               "exit_group": 231, "clock_gettime": 228, "getrandom": 318},
    "aarch64": {"read": 63, "write": 64, "close": 57, "mmap": 222, "brk": 214, "execve": 221, "openat": 56,
                "futex": 98, "exit_group": 94, "clock_gettime": 113, "getrandom": 278},
}  # fmt: skip
CLONE, CLONE3 = {"x86_64": 56, "aarch64": 220}, 435
CLONE_VM, CLONE_FS, CLONE_FILES, CLONE_SIGHAND, CLONE_THREAD = 0x100, 0x200, 0x400, 0x800, 0x10000
NEW_NAMESPACES = {
    "time": 0x80, "mount": 0x20000, "cgroup": 0x2000000, "uts": 0x4000000, "ipc": 0x8000000, "user": 0x10000000,
    "pid": 0x20000000, "net": 0x40000000,
}  # fmt: skip


def run(program: bytes, machine: int, call: int, argument: int = 0) -> int:
    """Interpret a filter on one system call; return its verdict. Knows every instruction the kernel would accept of us.

    The data is the kernel's `struct seccomp_data`: number, machine, instruction pointer, six arguments.
    """
    data = struct.pack("<IIQ6Q", call, machine, 0, argument, 0, 0, 0, 0, 0)
    steps = list(struct.iter_unpack("<HBBI", program))
    at, accumulator = 0, 0
    for _ in range(len(steps)):
        code, yes, no, k = steps[at]
        at += 1
        if code == 0x20:  # ld [k]
            (accumulator,) = struct.unpack_from("<I", data, k)
        elif code == 0x06:  # ret k
            return k
        elif code in (0x15, 0x35, 0x45):  # jeq, jge, jset
            holds = {0x15: accumulator == k, 0x35: accumulator >= k, 0x45: bool(accumulator & k)}[code]
            at += yes if holds else no
        else:
            raise AssertionError(f"instruction {code:#x} is not of this filter")
    raise AssertionError("the program does not end")


@pytest.fixture(params=sorted(MACHINES))
def filtered(request, monkeypatch):
    """The machine's name and its program as a function of number and first argument."""
    monkeypatch.setattr(jail.platform, "machine", lambda: request.param)
    program = jail._filter()
    return request.param, lambda call, argument=0: run(program, MACHINES[request.param], call, argument)


def test_what_leads_out_is_refused(filtered):
    machine, verdict = filtered
    assert {name: verdict(number) for name, number in REFUSED[machine].items()} == dict.fromkeys(
        REFUSED[machine], EPERM
    )
    assert set(jail._DENIED) <= set(REFUSED[machine]), "every call of the list is checked by its own number"


def test_what_python_needs_is_allowed(filtered):
    machine, verdict = filtered
    assert {name: verdict(number) for name, number in USED[machine].items()} == dict.fromkeys(USED[machine], ALLOW)


def test_threads_may_be_made_and_processes_and_namespaces_may_not(filtered):
    machine, verdict = filtered
    clone, thread = CLONE[machine], CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD
    assert verdict(clone, thread) == ALLOW
    assert verdict(clone, 17) == EPERM, "a child that signals its end: a process"
    for name, flag in NEW_NAMESPACES.items():
        assert verdict(clone, flag | 17) == EPERM, name
        assert verdict(clone, flag | thread) == EPERM, name
    assert verdict(CLONE3) == ENOSYS, "its flags lie in memory, which no filter can read: the C library takes clone"


def test_the_signal_of_a_parents_death_cannot_be_cleared_and_other_words_to_the_kernel_can_be_said(filtered):
    machine, verdict = filtered
    prctl = {"x86_64": 157, "aarch64": 167}[machine]
    assert (verdict(prctl, 1), verdict(prctl, 15), verdict(prctl, 0)) == (EPERM, ALLOW, ALLOW)


@pytest.mark.parametrize("call", [0, 41, 56, 198, 220, 435])
def test_the_other_machines_calls_end_the_process(filtered, monkeypatch, call):
    machine, _ = filtered
    program = jail._filter()
    for foreign in (*MACHINES.values(), 0x40000003, 0x40000028):  # i386 and 32-bit Arm
        if foreign != MACHINES[machine]:
            assert run(program, foreign, call) == KILL


def test_the_x32_numbers_are_refused(filtered):
    _, verdict = filtered
    assert verdict(0x40000000 + 41) == EPERM


def test_calls_that_are_not_listed_are_the_same_on_both_sides_of_every_listed_one(filtered):
    """No jump goes astray: exactly the listed numbers are refused, among all that exist."""
    machine, verdict = filtered
    refused = {number for number in range(600) if verdict(number, CLONE_THREAD) != ALLOW}
    assert refused == {*REFUSED[machine].values(), CLONE3}


def test_another_machine_has_no_filter_and_is_refused(monkeypatch):
    monkeypatch.setattr(jail.platform, "machine", lambda: "riscv64")
    with pytest.raises(OSError, match="no filter for riscv64"):
        jail._filter()
