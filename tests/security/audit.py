"""Asks pip-audit for known vulnerabilities of the locked packages, and says so when nobody can be asked.

python tests/security/audit.py        exit code 1 if there is a known one, 0 otherwise
"""

import json
import subprocess
import sys
from pathlib import Path

LOCK = Path(__file__).parents[2] / "requirements.lock"


def verdict(report: dict) -> tuple[int, str]:
    """Return the exit code and what to say of a pip-audit report."""
    packages = report["dependencies"]
    skipped = [one["name"] for one in packages if "skip_reason" in one]
    found = [f"{one['name']} {one['version']}: {fault['id']}" for one in packages for fault in one.get("vulns", ())]
    asked = len(packages) - len(skipped)
    if found:
        return 1, "audit: known vulnerabilities:\n" + "\n".join(found)
    if not asked:
        return (
            0,
            f"audit: the advisory service knows none of the {len(packages)} packages or cannot be reached from here",
        )
    return 0, f"audit: {asked} packages, no known vulnerability; not audited: {', '.join(skipped) or 'none'}"


def main() -> int:
    """Run pip-audit and print the verdict."""
    command = [sys.executable, "-m", "pip_audit", "--requirement", str(LOCK), "--no-deps", "--disable-pip"]
    done = subprocess.run([*command, "--format", "json"], capture_output=True, text=True, check=False)
    try:
        code, text = verdict(json.loads(done.stdout))
    except ValueError:
        code, text = (
            0,
            f"audit: the advisory service cannot be reached: {(done.stderr.strip() or '-').splitlines()[-1]}",
        )
    sys.stdout.write(text + "\n")
    return code


if __name__ == "__main__":
    sys.exit(main())
