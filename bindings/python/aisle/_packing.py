"""Has the command `aisle` pack stores that the library cannot open by itself, since it reads no YAML."""
from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator

from aisle._errors import AisleError, BadFile


@contextlib.contextmanager
def packed(store: str | None, file: str | None, language: str | None) -> Iterator[str | None]:
    """The path of a packed store: the file itself; what is made of a folder of stores, or of a built-in store for a language, and removed
    afterwards; or None for a built-in store as it is."""
    is_folder = file is not None and os.path.isdir(file)
    if not is_folder and (file is not None or language in (None, "en")):
        yield file
        return
    kind, what = (BadFile, str(file)) if is_folder else (AisleError, f"language `{language}`")
    command = shutil.which("aisle")
    if command is None:
        raise kind(f"{what}: the command `aisle` packs it, and is not in PATH; install it, or run `aisle stores pack` where it is, and give "
                   "the file")
    with tempfile.TemporaryDirectory(prefix="aisle-") as place:
        target = os.path.join(place, "store.aisle")
        words = ["--config=off", f"--store={store or 'kroger'}", f"--output={target}"]
        words += [f"--taxonomies={file}"] if is_folder else []
        words += [f"--language={language}"] if language is not None else []
        try:
            told = subprocess.run([command, "stores", "pack", *words], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                  stderr=subprocess.PIPE, check=False)
        except OSError as problem:
            raise kind(f"{command}: cannot be run ({problem}); install aisle again") from None
        if told.returncode != 0:
            said = told.stderr.decode(errors="replace").strip().removeprefix("aisle: ")
            raise kind(f"{what}: `aisle stores pack` fails: {said or told.returncode}")
        yield target
