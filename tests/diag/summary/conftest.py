"""The studies on disk of the report's tests serve here too."""

import sys
from pathlib import Path

REPORT = Path(__file__).parent.parent / "report"
if str(REPORT) not in sys.path:
    sys.path.insert(0, str(REPORT))
