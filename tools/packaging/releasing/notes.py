"""What CHANGELOG.md says about a version."""
import re


class Missing(Exception):
    """CHANGELOG.md has nothing about the version."""


def sections(text):
    """The text below each heading of a version, by the version, in order."""
    parts = re.split(r"(?m)^## \[([^\]]+)\][^\n]*\n", text)
    return {name: body.strip() for name, body in zip(parts[1::2], parts[2::2])}


def release_notes(text, version):
    """The section of the version, or else of what is unreleased. A section that is still marked as unreleased belongs to the version that is
    being made, together with what was added since."""
    found = sections(text)
    is_open = re.search(rf"(?m)^## \[{re.escape(version)}\][^\n]*Unreleased", text) is not None
    names = ["Unreleased", version] if is_open else [version] if version in found else ["Unreleased"]
    bodies = [found[name] for name in names if found.get(name)]
    if not bodies:
        raise Missing(f"CHANGELOG.md has no section [{version}] and nothing under [Unreleased]")
    # One heading of each kind, in the order in which they first come.
    kinds = {}
    for body in bodies:
        parts = re.split(r"(?m)^### (.+)\n", body)
        if parts[0].strip():
            kinds.setdefault("", []).append(parts[0].strip())
        for kind, lines in zip(parts[1::2], parts[2::2]):
            kinds.setdefault(kind.strip(), []).append(lines.strip())
    written = [f"### {kind}\n\n" * bool(kind) + "\n".join(lines) for kind, lines in kinds.items()]
    return f"# aisle {version}\n\n" + "\n\n".join(written) + "\n"
