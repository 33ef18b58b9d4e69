"""Builds the wheel: the modules of `aisle`, and the shared library, which `tools/build-c` makes where it is missing.

It needs nothing but Python, so that `pip install .` works without a package index. The same sources make the same bytes: files go in by
name, with one time stamp ($SOURCE_DATE_EPOCH, or 1980).
"""
from __future__ import annotations

import base64
import hashlib
import os
import pathlib
import platform
import re
import subprocess
import sys
import time
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
LIBRARY = ROOT / ".build/c/libaisle.so"


def version() -> str:
    """The version of aisle, as the command tells it."""
    text = (ROOT / "Sources/AisleCore/Version.swift").read_text()
    found = re.search(r'number = "([0-9.]+)"', text)
    if found is None:
        raise RuntimeError("Sources/AisleCore/Version.swift names no version; build from a checkout of aisle")
    return found[1]


def library() -> pathlib.Path:
    """The shared library: $AISLE_LIBRARY, or the one of the checkout, built where it is missing."""
    named = os.environ.get("AISLE_LIBRARY")
    if named:
        return pathlib.Path(named).resolve(strict=True)
    if platform.system() != "Linux":
        raise RuntimeError("the library is built on Linux only, so far")
    if not LIBRARY.exists():
        subprocess.run([ROOT / "tools/build-c"], stdout=sys.stderr, check=True)
    return LIBRARY


def needed_glibc(path: pathlib.Path) -> tuple[int, int]:
    """The oldest C library that a shared library works with: the newest version that it asks for."""
    asked = re.findall(rb"GLIBC_(\d+)\.(\d+)", path.read_bytes())
    return max(((int(major), int(minor)) for major, minor in asked), default=(2, 17))


def tag(path: pathlib.Path) -> str:
    major, minor = needed_glibc(path)
    return f"py3-none-manylinux_{major}_{minor}_{platform.machine()}"


def metadata() -> str:
    return "\n".join([
        "Metadata-Version: 2.4", "Name: aisle", f"Version: {version()}", "Summary: Which section of a store a grocery item belongs to",
        "License-Expression: MIT", "License-File: LICENSE", "Requires-Python: >=3.10", "Description-Content-Type: text/markdown", "",
        (HERE / "README.md").read_text(),
    ])


def _write(target: pathlib.Path, files: dict[str, bytes], info: str) -> None:
    stamp = max(int(os.environ.get("SOURCE_DATE_EPOCH", 0)), 315532800)
    rows = []
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as wheel:
        for name in sorted(files):
            digest = base64.urlsafe_b64encode(hashlib.sha256(files[name]).digest()).rstrip(b"=").decode()
            rows.append(f"{name},sha256={digest},{len(files[name])}")
            _add(wheel, name, files[name], stamp)
        _add(wheel, f"{info}/RECORD", "\n".join([*rows, f"{info}/RECORD,,", ""]).encode(), stamp)


def _add(wheel: zipfile.ZipFile, name: str, contents: bytes, stamp: int) -> None:
    entry = zipfile.ZipInfo(name, time.gmtime(stamp)[:6])
    entry.external_attr = (0o755 if name.endswith(".so") else 0o644) << 16 | 0x8000_0000
    entry.compress_type = zipfile.ZIP_DEFLATED
    wheel.writestr(entry, contents)


def _wheel(folder: str, modules: dict[str, bytes]) -> str:
    path = library()
    info = f"aisle-{version()}.dist-info"
    files = {
        **modules, f"{info}/METADATA": metadata().encode(), f"{info}/licenses/LICENSE": (ROOT / "LICENSE").read_bytes(),
        f"{info}/WHEEL": f"Wheel-Version: 1.0\nGenerator: aisle\nRoot-Is-Purelib: false\nTag: {tag(path)}\n".encode(),
    }
    name = f"aisle-{version()}-{tag(path)}.whl"
    _write(pathlib.Path(folder) / name, files, info)
    return name


def build_wheel(wheel_directory: str, config_settings: object = None, metadata_directory: str | None = None) -> str:
    """The hook of PEP 517."""
    modules = {f"aisle/{path.name}": path.read_bytes() for path in (HERE / "aisle").iterdir() if path.suffix in (".py", ".typed")}
    modules["aisle/py.typed"] = (HERE / "aisle/py.typed").read_bytes()
    return _wheel(wheel_directory, {**modules, "aisle/libaisle.so": library().read_bytes()})


def build_editable(wheel_directory: str, config_settings: object = None, metadata_directory: str | None = None) -> str:
    """The hook of PEP 660: the modules stay where they are, and find the library in the checkout."""
    return _wheel(wheel_directory, {"aisle.pth": f"{HERE}\n".encode()})


def build_sdist(sdist_directory: str, config_settings: object = None) -> str:
    """The hook of PEP 517. The library is built from the whole checkout, so there is no archive of this folder alone."""
    raise RuntimeError("aisle has no source archive: run `pip install .` in bindings/python of a checkout, or build a wheel there")
