"""Builds the binary that is measured or checked."""
import subprocess


def build(root, progress, product="aisle"):
    """Builds a product with tools/build, and returns the binary's path."""
    progress(f"tools/build {product}")
    subprocess.run([root / "tools/build", product], check=True)
    return root / ".build/release" / product
