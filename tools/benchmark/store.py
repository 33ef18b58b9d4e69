"""A store as the tool under test reports it: sections in match order, shelves and keywords."""
import hashlib
import json
import pathlib
import re
import subprocess

STRENGTH_SIGNS = "~!?"


class Store:
    """Keywords come from `aisle stores show STORE --section NAME`, so that every peer has exactly the tool's."""

    def __init__(self, root, aisle, name="kroger"):
        layout = _Layout((root / "taxonomies" / f"{name}.yaml").read_text(encoding="utf-8"))
        self.name = name
        self.fallback = layout.fallback
        self.section_of_shelf = layout.section_of_shelf
        self.sections = []  # (section, its keywords), in match order
        for section in layout.match_order or layout.sections:
            rows = subprocess.run([aisle, "stores", "show", name, "--section", section], cwd=root, check=True,
                                  stdout=subprocess.PIPE).stdout.decode("utf-8").splitlines()
            texts = [row.split("\t")[0] for row in rows]
            self.sections.append((section, [text[1:] if text[0] in STRENGTH_SIGNS else text for text in texts]))
        self.names = set(layout.sections)
        self.keywords = [(keyword, section) for section, keywords in self.sections for keyword in keywords]
        self.digest = hashlib.sha256("\n".join("\t".join(pair) for pair in self.keywords).encode()).hexdigest()[:12]

    def expected_sections(self, label):
        """The sections that a corpus label (`shelf-or-section|…`) accepts; `KeyError` for a name that is neither."""
        return {name if name in self.names else self.section_of_shelf[name] for name in label.split("|")}

    def write_rows(self, path: pathlib.Path):
        path.write_text("".join(f"{keyword}\t{section}\n" for keyword, section in self.keywords), encoding="utf-8")

    def write_json(self, path: pathlib.Path):
        sections = [{"name": name, "keywords": [keyword.lower() for keyword in keywords]} for name, keywords in self.sections]
        path.write_text(json.dumps({"fallback": self.fallback, "sections": sections}), encoding="utf-8")


class _Layout:
    """The few fields of a store's file that are needed here. The tool itself checks the file's form."""

    def __init__(self, text):
        self.sections, self.match_order, self.section_of_shelf, self.fallback = [], [], {}, ""
        field = ""
        indent = None  # of the sections; patterns have names too
        for line in text.splitlines():
            line = re.sub(r"(^|\s)#.*", "", line).rstrip()
            if top := re.match(r"(\w+):\s*(.*)", line):
                field = top[1]
                if field == "fallback":
                    self.fallback = _plain(top[2])
            elif (name := re.match(r"(\s*)- name:\s*(.+)", line)) and indent in (None, name[1]):
                indent = name[1]
                self.sections.append(_plain(name[2]))
                field = "sections"
            elif inner := re.match(r"\s+(\w+):", line):
                field = inner[1]
            elif entry := re.match(r"\s*- (.+)", line):
                if field == "shelves":
                    self.section_of_shelf[_plain(entry[1])] = self.sections[-1]
                elif field == "match_order":
                    self.match_order.append(_plain(entry[1]))


def _plain(scalar):
    return scalar.strip().strip("\"'")
