# Aliases; ./diag.sh does the work.
.PHONY: demo test slow ui play docs real-server
demo test ui play:
	./diag.sh $@
slow:
	./diag.sh test -m slow --timeout 3600 -n 0
# Break a study in every way at every phase; writes docs/reliability.md. Some cells: ARGS="--only 'Ctrl-C*'"
.PHONY: chaos
chaos:
	.venv/bin/python -m chaos $(ARGS)
.PHONY: coverage
coverage: # do the intervals hold? writes docs/statistics-validation.md; a few minutes
	.venv/bin/python -m diag.analysis.validate
docs: # the site in outputs/docs-site; first: .venv/bin/python -m pip install -e '.[docs]'
	.venv/bin/python -m mkdocs build --strict --quiet
real-server: # llama.cpp's own server with a small text model in a venv of its own, driven end to end; about ten minutes
	.venv/bin/python tests/diag/agents/models/real_server.py

# Long: MINUTES on the rules, then a tenth of it in Chromium; fails if memory, open files or processes grow
MINUTES = 60
.PHONY: soak audit cluster-tests
soak:
	.venv/bin/python benchmarks/soak.py --minutes $(MINUTES)
	.venv/bin/python benchmarks/soak.py --suite browser --units 24 --minutes $$(($(MINUTES) / 10 + 5))
audit: # known vulnerabilities of the locked packages; asks an advisory service
	.venv/bin/python -m pip install -q pip-audit
	.venv/bin/python tests/security/audit.py
cluster-tests: # real Dask and Ray clusters on this machine, Hydra's launchers; in a venv of its own
	python3 -m venv .venv-cluster
	.venv-cluster/bin/python -m pip install -q -r requirements.lock
	.venv-cluster/bin/python -m pip install -q -e '.[test,dask,ray,launchers]'
	.venv-cluster/bin/python -m pytest tests/diag/running/test_backends_cluster.py tests/diag/running/test_backends_launchers.py --timeout 600

# Every study of the design on simulated agents, the panels with all three, then outputs/index.html with a page per study.
# SUITE=browser plays in Chromium; AGENT and PANEL name the agents.
STUDIES = rq1 rq2 rq3 rq4
PANELS = action_branch rq2_followup rq3_followup rq4_followup
AGENT = simulated/sol
PANEL = simulated/sol,simulated/terra,simulated/luna
SUITE = rules
OUTPUTS = outputs
.PHONY: studies
studies:
	for study in $(STUDIES); do ./diag.sh run +experiment=$$study agent=$(AGENT) suite=$(SUITE) outputs=$(OUTPUTS) || exit 1; done
	for study in $(PANELS); do ./diag.sh run +experiment=$$study agent=$(PANEL) suite=$(SUITE) outputs=$(OUTPUTS) --multirun || exit 1; done
	./diag.sh run index $(OUTPUTS)
