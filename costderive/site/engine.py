"""The page that derives: the package itself runs in it, with Pyodide, and nothing comes from another place.

Pyodide is taken from its npm package; SymPy, mpmath and costderive are those that are installed here. All lie beside
the page, which a server must hand out: a browser starts no worker from a file.
"""

from __future__ import annotations

import hashlib
import io
import shutil
import subprocess
import tarfile
import tempfile
import zipfile
from collections.abc import Iterator
from importlib import import_module, resources
from pathlib import Path

from costderive.core.errors import ExportError
from costderive.site.frame import POLICY, Page

VERSION = "314.0.7"
SHA512 = (
    "d18bd7c4485f11da4b7dbfd790cd8114078c44eab488c517d9bcf31fda4eb6dc"
    "8c716930abe1db139bb2b860fcd8b37bcb6abe48dbe2ffa579244b0e943d91d4"
)
PYODIDE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
PACKAGES = ("mpmath", "sympy", "costderive")
LEFT_OUT = {"tests", "testing", "benchmarks", "examples", "__pycache__"}
KEPT = {".py", ".toml", ".html", ".css", ".js", ".json", ".md", ".txt", ".v", ".typed"}
OWN_POLICY = f"{POLICY}; connect-src 'self'; worker-src 'self'".replace(
    "script-src", "script-src 'wasm-unsafe-eval'"
)
SCRIPTS = ("derive.js", "pictures.js", "score.js")
DATE = (1980, 1, 1, 0, 0, 0)  # of all files in an archive, so that the same files make the same archive
SECONDS = 300


def page() -> Page:
    """Return the page, which says so where the site has no engine or the browser cannot run it."""
    body = (resources.files("costderive.site") / "derive.html").read_text(encoding="utf-8")
    return Page("derive.html", "Derive a rule", body, SCRIPTS, OWN_POLICY)


def files(pyodide: Path) -> dict[str, bytes]:
    """Return the engine by path, from the folder of Pyodide.

    Raises:
        ExportError: if it is no folder of Pyodide.
    """
    found = {f"engine/{name}": pyodide / name for name in PYODIDE}
    if missing := [file for file in found.values() if not file.is_file()]:
        raise ExportError(
            f"{missing[0]} is not there", f"Give the unpacked npm package pyodide@{VERSION}: --pyodide DIR."
        )
    return {path: file.read_bytes() for path, file in found.items()} | {"engine/packages.zip": packages()}


def fetched() -> dict[str, bytes]:
    """Return the engine, whose Pyodide npm brings.

    Raises:
        ExportError: if there is no npm, or it does not bring the package that is known.
    """
    npm = shutil.which("npm")
    if npm is None:
        raise ExportError("there is no npm to bring Pyodide", "Install npm, or give --pyodide DIR.")
    with tempfile.TemporaryDirectory() as folder:
        command = [npm, "pack", "--silent", f"pyodide@{VERSION}"]
        done = subprocess.run(
            command, cwd=folder, capture_output=True, text=True, check=False, timeout=SECONDS
        )
        archive = Path(folder) / f"pyodide-{VERSION}.tgz"
        if done.returncode or not archive.is_file():
            raise ExportError(
                f"npm did not bring pyodide@{VERSION}: {done.stderr.strip()}", "Give --pyodide DIR."
            )
        data = archive.read_bytes()
        if hashlib.sha512(data).hexdigest() != SHA512:
            raise ExportError(f"pyodide@{VERSION} is not the package that is known", "Give --pyodide DIR.")
        with tarfile.open(fileobj=io.BytesIO(data)) as packed:
            packed.extractall(folder, filter="data")
        return files(Path(folder) / "package")


def packages() -> bytes:
    """Return SymPy, mpmath and costderive as they are installed here, without their tests, as a ZIP archive."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, file in _sources():
            archive.writestr(zipfile.ZipInfo(name, DATE), file.read_bytes(), zipfile.ZIP_DEFLATED)
    return packed.getvalue()


def _sources() -> Iterator[tuple[str, Path]]:
    for package in PACKAGES:
        folder = Path(str(import_module(package).__file__)).parent
        for file in sorted(folder.rglob("*")):
            place = file.relative_to(folder.parent)
            if file.suffix in KEPT and not LEFT_OUT & set(place.parts[:-1]):
                yield str(place.as_posix()), file
