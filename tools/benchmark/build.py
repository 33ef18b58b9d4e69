"""Builds the binary that is measured or checked."""
import os
import pathlib
import subprocess


def build(root, progress, product="aisle"):
    """Builds a product as tools/run does, with the flags that tools/build-flags prints, and returns the binary's path."""
    flags = ["-c", "release", "--product", product, *subprocess.check_output([root / "tools/build-flags"], text=True).split()]
    progress("swift build " + " ".join(flags))
    environment = os.environ | {"SWIFT_DETERMINISTIC_HASHING": "1"}  # as in tools/run
    subprocess.run(["swift", "build", *flags], cwd=root, stdout=2, check=True, env=environment)
    shown = subprocess.run(["swift", "build", *flags, "--show-bin-path"], cwd=root, stdout=subprocess.PIPE, check=True,
                           env=environment).stdout
    return pathlib.Path(shown.decode().strip()) / product
