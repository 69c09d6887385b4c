"""Vega-Lite charts as pictures, and Vega itself, by vl-convert in a process of its own.

Its JavaScript engine keeps 80 MB for as long as its process lives, and a sweep's process lives long.
"""

import base64
import io
import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from importlib.metadata import version
from pathlib import Path

from resources.warehouse import DiskFull, replacing

_DRAW = """
import base64, json, sys, vl_convert
specs = json.load(sys.stdin)
json.dump([base64.b64encode(vl_convert.vegalite_to_png(spec)).decode() for spec in specs], sys.stdout)
"""
_BUNDLE = "import sys, vl_convert; sys.stdout.buffer.write(vl_convert.javascript_bundle().encode())"
_PATIENCE_S = 120.0
# Dagster stores a chart in metadata three times: it has to stay under 10 kB, in base64.
_MOST_BYTES = 7_400


def small_pngs(specs: Sequence[Mapping[str, object]]) -> list[bytes]:
    """Each Vega-Lite spec as a PNG on white, under 7.4 kB (10 kB in base64).

    Raises:
        RuntimeError: with what vl-convert said, when it cannot draw one of them.
    """
    if not specs:
        return []
    drawn = json.loads(_in_a_process(_DRAW, json.dumps(list(specs)).encode()))
    return [_shrunk(base64.b64decode(png)) for png in drawn]


def png_markdown(name: str, png: bytes) -> str:
    """The picture as Markdown for run metadata."""
    return f"![{name}](data:image/png;base64,{base64.b64encode(png).decode()})"


@cache
def vega_bundle(folder: Path) -> str:
    """Vega, Vega-Lite and Vega-Embed as one script that sets `vegaEmbed`; `folder` keeps it, since making it is slow.

    Raises:
        RuntimeError: with what vl-convert said, when it cannot make it.
    """
    file = folder / f"vega-{version('vl-convert-python')}.js"
    try:
        return file.read_text(encoding="utf-8")
    except OSError:
        pass
    script = _in_a_process(_BUNDLE, b"").decode().replace("</script", r"<\/script")
    # In a project that cannot be written it is made anew each time.
    with suppress(OSError, DiskFull), replacing(file) as temporary:
        temporary.write_text(script, encoding="utf-8")
    return script


def _in_a_process(code: str, given: bytes) -> bytes:
    ran = subprocess.run(
        [sys.executable, "-c", code], input=given, capture_output=True, timeout=_PATIENCE_S, check=False
    )
    if ran.returncode:
        raise RuntimeError(f"the chart could not be drawn: {ran.stderr.decode(errors='replace').strip()[-500:]}")
    return ran.stdout


def _shrunk(png: bytes) -> bytes:
    """The picture on white with 16 colours, or fewer where it would be too large."""
    from PIL import Image

    picture = Image.open(io.BytesIO(png)).convert("RGBA")
    flat = Image.alpha_composite(Image.new("RGBA", picture.size, "white"), picture).convert("RGB")
    small = b""
    for colours in (16, 8, 4):
        buffer = io.BytesIO()
        flat.quantize(colours, dither=Image.Dither.NONE).save(buffer, format="png", optimize=True)
        small = buffer.getvalue()
        if len(small) <= _MOST_BYTES:
            break
    return small
