"""Vega-Lite charts as pictures, drawn by vl-convert in a process of its own.

Its JavaScript engine keeps 80 MB for as long as its process lives, and a sweep's process lives long.
"""

import json
import subprocess
import sys
from collections.abc import Mapping

_DRAW = "import sys, vl_convert; sys.stdout.buffer.write(vl_convert.vegalite_to_png(sys.stdin.read()))"
_PATIENCE_S = 120.0


def vega_png(spec: Mapping[str, object]) -> bytes:
    """The chart of a Vega-Lite `spec` as a PNG.

    Raises:
        RuntimeError: with what vl-convert said, when it cannot draw the spec.
    """
    drawn = subprocess.run(
        [sys.executable, "-c", _DRAW],
        input=json.dumps(spec).encode(),
        capture_output=True,
        timeout=_PATIENCE_S,
        check=False,
    )
    if drawn.returncode:
        raise RuntimeError(f"the chart could not be drawn: {drawn.stderr.decode(errors='replace').strip()[-500:]}")
    return drawn.stdout
