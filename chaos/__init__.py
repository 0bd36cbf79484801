"""The fault campaign: breaks a study in every way at every phase and checks what the program promises about it.

    python -m chaos                        every cell; writes docs/reliability.md; exit code 1 if a promise is broken
    python -m chaos --only 'runner*'       some cells, printed only

The program holds no hooks for it. A victim is `python -m diag` itself with `chaos/hook` on its `PYTHONPATH`: the
interpreter's own `sitecustomize` wraps one function after its module was imported, in the runner and in its workers.

    phases.py      the moments at which a fault may strike, each a function of the program
    strikes.py     the faults, done from inside the process that reaches the moment
    hooking.py     how a strike gets to its moment
    processes.py   what runs below a process or bears a mark
    victim.py      one command line run to its end, within bounds
    promise.py     what must hold after a fault and the same command again
    cells.py       fault x phase: the campaign
    scenes.py      what some cells need around them: a small disk, a tracking server, a model endpoint, a second runner
    endpoint.py    the model endpoint: answers by words alone, and can be down
    document.py    docs/reliability.md
"""
