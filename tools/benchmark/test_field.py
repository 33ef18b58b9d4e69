"""Run by tools/test: python3 -m unittest discover -s tools/benchmark"""
import os
import pathlib
import re
import sys
import tempfile
import unittest
import unittest.mock
import xml.etree.ElementTree as xml

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import field  # noqa: E402
import scatter  # noqa: E402
from accuracy import Share  # noqa: E402

WITHOUT = "keyword>=0.85,regex>=0.8"
SVG = "{http://www.w3.org/2000/svg}"


def point(name, rate, value, is_own=True):
    return scatter.Point(name, rate, value, value - 0.01, value + 0.01, is_own)


def row(name, right, seconds, is_own=True):
    return field.Row(field.Contender(name, [], is_own=is_own), Share(right, 1000), seconds, 1000)


CROWDS = {
    "one alone": [point("phrase mode", 1e6, 0.95)],
    "all in one spot": [point(f"strategy number {number}", 1e6, 0.95) for number in range(8)],
    "a row at the right edge": [point(f"a name of some length, {number}", 9.9e6, 0.99 - number / 200) for number in range(6)],
    "a row at the left edge": [point(f"a name of some length, {number}", 1.01, 0.5 + number / 500) for number in range(6)],
    "a field": [point("substring mode", 2.1e6, 0.57), point("phrase mode", 3.0e6, 0.944), point("phrase mode + patterns", 2.6e6, 0.951),
                point("phrase mode + patterns + trained (default)", 2.4e6, 0.957), point("trained", 2.5e6, 0.92),
                point("fastText", 9e4, 0.88, False), point("scikit-learn", 3e4, 0.907, False), point("embeddings", 90, 0.85)],
}


class Drawing(unittest.TestCase):
    def test_no_name_stands_on_another_or_on_a_point(self):
        for title, points in CROWDS.items():
            with self.subTest(title):
                axes = scatter.Axes(points)
                boxes = scatter.labels(points, axes)
                for number, box in enumerate(boxes):
                    self.assertGreaterEqual(box.left, scatter.LEFT)
                    self.assertLessEqual(box.right, scatter.WIDTH)
                    for other in boxes[number + 1:]:
                        self.assertFalse(box.overlaps(other), (box, other))
                    for other in points:
                        self.assertFalse(box.contains(axes.x(other.rate), axes.y(other.value)), (box, other))

    def test_every_point_is_drawn_within_the_frame_with_its_name(self):
        for title, points in CROWDS.items():
            with self.subTest(title):
                drawing = xml.fromstring(scatter.svg(points, "a title", "a note"))
                circles = drawing.findall(f"{SVG}circle")
                self.assertEqual(len(circles), len(points))
                for circle in circles:
                    self.assertTrue(scatter.LEFT <= float(circle.get("cx")) <= scatter.WIDTH - scatter.RIGHT)
                    self.assertTrue(scatter.TOP <= float(circle.get("cy")) <= scatter.HEIGHT - scatter.BOTTOM)
                texts = {text.text for text in drawing.findall(f"{SVG}text")}
                self.assertLessEqual({point.name for point in points}, texts)

    def test_ten_times_as_fast_is_equally_far_everywhere(self):
        axes = scatter.Axes([point("slow", 100, 0.9), point("fast", 1e6, 0.9)])
        self.assertAlmostEqual(axes.x(1e3) - axes.x(1e2), axes.x(1e6) - axes.x(1e5))

    def test_half_as_much_wrong_is_equally_far_everywhere(self):
        axes = scatter.Axes([point("bad", 100, 0.55), point("good", 1e6, 0.97)])
        self.assertGreater(axes.y(0.9), axes.y(0.95))
        self.assertAlmostEqual(axes.y(0.6) - axes.y(0.8), axes.y(0.8) - axes.y(0.9))

    def test_the_same_figures_make_the_same_file_and_names_are_escaped(self):
        points = [point("<b> & co", 10, 0.5), *CROWDS["a field"]]
        text = scatter.svg(points, "A & B", "<note>")
        self.assertEqual(text, scatter.svg(list(points), "A & B", "<note>"))
        xml.fromstring(text)
        self.assertIn("&lt;b&gt; &amp; co", text)

    def test_it_is_for_light_and_dark_and_runs_and_loads_nothing(self):
        text = scatter.svg(CROWDS["a field"], "title", "note")
        self.assertIn("prefers-color-scheme: dark", text)
        self.assertNotRegex(text, r"<script|href|url\(|@import|\son\w+=")
        dark = text.split("@media")[1]
        for kind in ("text", ".ground", ".grid", ".own", ".peer", ".leader"):
            self.assertIn(f"{kind} {{", dark)


class Table(unittest.TestCase):
    def setUp(self):
        self.phrase = row("phrase mode (default)", 944, [0.5e-6, 0.5e-6, 0.5e-6])
        self.fast = row("fastText", 880, [10e-6, 12e-6, 8e-6], is_own=False)
        self.slow = row("embeddings", 850, [10e-3, 10e-3, 10e-3])

    def test_rows_have_accuracy_with_its_interval_speed_and_both_ratios(self):
        lines = field.table([self.phrase, self.fast, self.slow], self.phrase, self.fast).splitlines()
        cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
        self.assertEqual(cells[0], ["strategy", "right on holdout (95%), items", "items a second (quartiles)", "× phrase mode", "× fastText"])
        # Wilson's interval of 944 of 1000, worked out by hand: 92.8 to 95.7.
        self.assertEqual(cells[2], ["phrase mode (default)", "94.4% (92.8–95.7), 1,000", "2.00 M (2.00 M–2.00 M)", "1.00×", "20.0×"])
        self.assertEqual(cells[3][3:], ["1/20", "1.00×"])
        self.assertEqual(cells[4][2:], ["100 (100–100)", "1/20,000", "1/1,000"])
        self.assertEqual(len({len(line) for line in lines}), 1)

    def test_a_peer_that_is_not_there_has_neither_row_nor_column(self):
        header = field.table([self.phrase], self.phrase, None).splitlines()[0]
        self.assertNotIn("fastText", header)

    def test_numbers_have_three_digits(self):
        cases = {4: "4.00", 97.04: "97.0", 999.4: "999", 999.6: "1.00 K", 91_900: "91.9 K", 1_234_567: "1.23 M", 999_900: "1.00 M"}
        self.assertEqual({rate: field.counted(rate) for rate in cases}, cases)
        cases = {0.35: "0.35×", 0.1: "0.10×", 0.05: "1/20", 21.04: "21.0×", 1234: "1,234×"}
        self.assertEqual({value: field.multiple(value) for value in cases}, cases)


class Contenders(unittest.TestCase):
    """A stand-in for the binary tells which strategies there are."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.notices = []

    def field(self, strategies, default=WITHOUT):
        binary = self.folder / "aisle"
        listed = "".join(f"{name}\ta summary\n" for name in strategies)
        (self.folder / "strategies").write_text(listed)
        (self.folder / "chain").write_text(f"store\tkroger\tdefault\nchain\t{default}\tdefault\n")
        binary.write_text(f"#!/bin/sh\ncat {self.folder}/$1\n")
        binary.chmod(0o755)

        class Options:
            seed, quick = 1, True

        made = field.Field(self.folder, binary, None, Options, self.notices.append)
        made.folder = self.folder
        return made

    def test_the_trained_strategy_comes_in_as_soon_as_the_binary_knows_it(self):
        without = [contender.chain for contender in self.field(["keyword", "regex"]).own()]
        self.assertEqual(without, ["keyword(mode=substring)", "keyword", WITHOUT])
        self.assertRegex("\n".join(self.notices), "no strategy `model`")
        self.notices.clear()
        with_it = [contender.chain for contender in self.field(["keyword", "regex", "model"]).own()]
        self.assertEqual(with_it, [*without, "model", f"{WITHOUT},model"])
        self.assertEqual(self.notices, [])

    def test_the_default_chain_is_marked_whichever_it_is(self):
        for default in (WITHOUT, f"{WITHOUT},model>=0.95"):
            own = self.field(["model"], default).own()
            self.assertEqual([contender.chain for contender in own if contender.name.endswith(" (default)")], [default])
            self.assertIn(WITHOUT, [contender.chain for contender in own])

    def test_peers_that_are_not_installed_are_left_out_with_a_notice(self):
        made = self.field(["keyword"])
        self.assertEqual(list(made.peers()), [])
        with unittest.mock.patch.dict(os.environ, {"AISLE_EMBEDDINGS": str(self.folder / "nowhere")}):
            self.assertEqual(list(made.embeddings()), [])
        self.assertEqual(len(self.notices), 2)
        self.assertTrue(all(re.match(r"notice: .*tools/(bench|setup) --\w+", notice) for notice in self.notices), self.notices)

    def test_a_strategy_that_decides_nothing_is_left_out_and_another_is_scored(self):
        made = self.field([])
        made.store = unittest.mock.Mock(fallback="Other")
        made.items = [("kale", ["Produce"], True), ("nails", ["Other"], True), ("milk", ["Dairy & Eggs"], True)]
        for chain, answers, expected in [("model", ["Other"] * 3, None), ("keyword", ["Other"] * 3, Share(1, 3)),
                                         ("model", ["Produce", "Other", "Other"], Share(2, 3))]:
            script = "".join(f"echo 'an item\t{answer}';" for answer in answers)
            contender = field.Contender("trained", ["sh", "-c", script], chain)
            self.assertEqual(made.score(contender), expected, (chain, answers))

    def test_every_turn_has_each_item_once_and_a_sample_is_always_the_same(self):
        made = self.field([])
        made.items = [(f"item {number}", ["Produce"], True) for number in range(10)]
        lines = made.repeated(30).read_text().splitlines()
        for turn in (lines[:10], lines[10:20], lines[20:]):
            self.assertEqual(sorted(turn), sorted(item for item, _, _ in made.items))
        self.assertNotEqual(lines[:10], lines[10:20])
        self.assertEqual(lines[:25], made.repeated(25).read_text().splitlines())
        self.assertEqual(made.chosen(3), made.chosen(3))
        self.assertEqual(len(made.chosen(3)), 3)


if __name__ == "__main__":
    unittest.main()
