"""The Debian package."""
import email.utils
import os
import pathlib
import re
import shutil
import subprocess
import textwrap

from releasing import elf, files

MAINTAINER = "aisle contributors <maintainers@aisle.invalid>"
# Libraries that are loaded only when they are needed: for language models and servers, and for photos.
RECOMMENDS = ["ca-certificates", "libcurl4 | libcurl4t64 | libcurl3-gnutls | libcurl3t64-gnutls"]
SUGGESTS = ["libheif1", "libpng16-16 | libpng16-16t64", "libturbojpeg0", "libwebp7 | libwebp6"]
DESCRIPTION = """\
find the store section for each item of a grocery list
aisle reads grocery items, one a line, and writes each with the section of the store that it belongs to. It decides from keyword files that \
people can edit, works offline, and names the keyword, file, and line behind each answer.

It comes with fourteen stores, measures its accuracy on labeled items, learns from corrections, and serves household apps over HTTP."""


def depends(root, binaries, architecture):
    """What the binaries need, as dpkg-shlibdeps finds it: packages, and the oldest versions of them that have the symbols.

    Of the C library, the version whose symbols the binaries ask for: Debian's table asks for a later one where a function, such as
    sysconf, has learned about constants that they do not use.
    """
    folder = root.parent
    (folder / "control").write_text(f"Source: aisle\nMaintainer: {MAINTAINER}\n\nPackage: aisle\nArchitecture: {architecture}\n")
    told = subprocess.run(["dpkg-shlibdeps", "-O", *[f"-e{path}" for path in binaries]], cwd=folder.parent, check=True, stdout=subprocess.PIPE, text=True)
    major, minor = max(map(elf.glibc, binaries))
    return re.sub(r"libc6 \(>= [^)]*\)", f"libc6 (>= {major}.{minor})", re.search(r"^shlibs:Depends=(.*)$", told.stdout, re.M)[1])


def changelog(version, epoch):
    date = email.utils.format_datetime(email.utils.datetime.datetime.fromtimestamp(epoch, email.utils.datetime.timezone.utc))
    return f"aisle ({version}) unstable; urgency=medium\n\n  * Release {version}; its notes come with the release.\n\n -- {MAINTAINER}  {date}\n"


def control(version, architecture, needed, size):
    summary, *paragraphs = DESCRIPTION.split("\n")
    long = "\n".join(textwrap.fill(paragraph, 78, initial_indent=" ", subsequent_indent=" ") if paragraph else " ." for paragraph in paragraphs)
    return (f"Package: aisle\nVersion: {version}\nArchitecture: {architecture}\nMaintainer: {MAINTAINER}\nInstalled-Size: {size}\n"
            f"Depends: {needed}\nRecommends: {', '.join(RECOMMENDS)}\nSuggests: {', '.join(SUGGESTS)}\nSection: utils\nPriority: optional\n"
            f"Description: {summary}\n{long}\n")


def build(staged, work, target, version, architecture, epoch, rights, overrides, level):
    """Makes the package of a staged installation.

    `rights` is the text of the file copyright, `overrides` the findings of lintian that are as they should be, `level` that of xz, 0 to 9.
    """
    root = work / "debian/aisle"  # where dpkg-shlibdeps looks for it
    shutil.copytree(staged, root / "usr")
    (root / "DEBIAN").mkdir()
    # Where Debian's zsh looks.
    (root / "usr/share/zsh/site-functions").rename(root / "usr/share/zsh/vendor-completions")
    for page in sorted((root / "usr/share/man/man1").iterdir()):
        files.install(files.compress(page.read_bytes()), page.with_name(f"{page.name}.gz"), 0o644)
        page.unlink()
    doc = root / "usr/share/doc/aisle"
    files.install(rights.encode(), doc / "copyright", 0o644)
    files.install(files.compress(changelog(version, epoch).encode()), doc / "changelog.gz", 0o644)
    if overrides:
        files.install(overrides.encode(), root / "usr/share/lintian/overrides/aisle", 0o644)
    contents = sorted(path for path in root.rglob("*") if path.is_file())  # before DEBIAN has any
    sums = "".join(f"{subprocess.run(['md5sum'], stdin=path.open('rb'), stdout=subprocess.PIPE, text=True, check=True).stdout.split()[0]}  "
                   f"{path.relative_to(root)}\n" for path in contents)
    size = sum(-(-path.stat().st_size // 1024) for path in contents) + sum(path.is_dir() for path in root.rglob("*"))
    binaries = [path for path in (root / "usr/bin/aisle", root / "usr/libexec/aisle/aisle-serve") if path.exists()]
    text = control(version, architecture, depends(root, binaries, architecture), size)
    files.install(text.encode(), root / "DEBIAN/control", 0o644)
    files.install(sums.encode(), root / "DEBIAN/md5sums", 0o644)
    files.settle(root, epoch)
    subprocess.run(["dpkg-deb", "--root-owner-group", "-Zxz", f"-z{level}", "--build", root, target], check=True, stdout=subprocess.DEVNULL,
                   env={**os.environ, "SOURCE_DATE_EPOCH": str(epoch)})
    return pathlib.Path(target)
