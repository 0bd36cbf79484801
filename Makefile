# Aliases; ./diag.sh does the work.
.PHONY: demo test slow ui play docs
demo test ui play:
	./diag.sh $@
slow:
	./diag.sh test -m slow --timeout 3600
docs: # the site in outputs/docs-site; first: .venv/bin/python -m pip install -e '.[docs]'
	.venv/bin/python -m mkdocs build --strict --quiet
