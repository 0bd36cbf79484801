# Aliases; ./diag.sh does the work.
.PHONY: demo test slow ui play docs
demo test ui play:
	./diag.sh $@
slow:
	./diag.sh test -m slow --timeout 3600
docs: # the site in outputs/docs-site; first: .venv/bin/python -m pip install -e '.[docs]'
	.venv/bin/python -m mkdocs build --strict --quiet

# Every study of the design on simulated agents; SUITE=browser plays in Chromium.
STUDIES = rq1 action_branch rq2 rq2_followup rq3 rq3_followup rq4 rq4_followup
AGENT = simulated/sol
SUITE = rules
.PHONY: studies
studies:
	for study in $(STUDIES); do ./diag.sh run +experiment=$$study agent=$(AGENT) suite=$(SUITE) || exit 1; done
