"""Builds the binary that is measured or checked."""
import pathlib
import subprocess


def build(root, progress, product="aisle"):
    """Builds a product as tools/run does, with the flags that tools/build-flags prints, and returns the binary's path."""
    flags = ["-c", "release", "--product", product, *subprocess.check_output([root / "tools/build-flags"], text=True).split()]
    progress("swift build " + " ".join(flags))
    subprocess.run(["swift", "build", *flags], cwd=root, stdout=2, check=True)
    shown = subprocess.run(["swift", "build", *flags, "--show-bin-path"], cwd=root, stdout=subprocess.PIPE, check=True).stdout
    return pathlib.Path(shown.decode().strip()) / product
