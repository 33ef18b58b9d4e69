"""Files that come out the same, byte by byte, whenever and by whomever they are made."""
import gzip
import hashlib
import io
import os
import pathlib
import shutil
import tarfile


def sha256(path):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest() if hasattr(hashlib, "file_digest") else hashlib.sha256(file.read()).hexdigest()


def compress(data):
    """As `gzip -9n` does it: without a name and without a time."""
    target = io.BytesIO()
    with gzip.GzipFile(filename="", mode="wb", compresslevel=9, fileobj=target, mtime=0) as file:
        file.write(data)
    return target.getvalue()


def install(source, target, mode):
    """Copies a file, or writes bytes, to a place whose folders need not be there."""
    target.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(source, bytes):
        target.write_bytes(source)
    else:
        shutil.copyfile(source, target)
    target.chmod(mode)


def settle(folder, epoch):
    """Gives folders their mode, and everything below the time of the release."""
    for path in [folder, *folder.rglob("*")]:
        if path.is_dir():
            path.chmod(0o755)
        os.utime(path, (epoch, epoch), follow_symlinks=False)


def tarball(folder, target, epoch, level):
    """Packs a folder under its own name: sorted, owned by root, with one time. `level` is gzip's, 1 to 9."""
    with open(target, "wb") as file, gzip.GzipFile(filename="", mode="wb", compresslevel=level, fileobj=file, mtime=0) as packed, \
            tarfile.open(fileobj=packed, mode="w", format=tarfile.GNU_FORMAT) as archive:
        for path in sorted([folder, *folder.rglob("*")], key=lambda path: path.relative_to(folder).parts):
            entry = archive.gettarinfo(path, arcname=str(pathlib.Path(folder.name) / path.relative_to(folder)))
            entry.uid = entry.gid = 0
            entry.uname = entry.gname = "root"
            entry.mtime = epoch
            if path.is_file():
                with open(path, "rb") as contents:
                    archive.addfile(entry, contents)
            else:
                archive.addfile(entry)
