# Aliases; ./diag.sh does the work.
.PHONY: demo test slow ui play
demo test ui play:
	./diag.sh $@
slow:
	./diag.sh test -m slow --timeout 3600
