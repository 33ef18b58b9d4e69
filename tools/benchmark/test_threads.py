"""Which rounds of one thread and two count."""
import unittest

import threads
from measure import Sample
from report import Report


def samples(one, two):
    """Runs of so many seconds, and starts of a tenth."""
    runs = {"one thread": one, "two threads": two, "two processes": two}
    found = {kind: [Sample(seconds, seconds) for seconds in times] for kind, times in runs.items()}
    return found | {f"{kind}, one item": [Sample(0.1, 0.1)] * len(one) for kind in ("one thread", "two threads")}


class ThreadsTests(unittest.TestCase):
    def figures(self, given):
        table = Report()
        threads.report(table, "list", samples([1.1, 1.1, 1.1], [0.6, 0.9, 1.1]), given)
        return table.figures

    def test_rounds_without_two_cores_do_not_count(self):
        figures = self.figures([1.95, 1.2, 1.0])
        self.assertIn("1 of 3 rounds", figures[0].name)
        self.assertAlmostEqual(figures[0].value, 2.0)
        self.assertTrue(figures[0].met)
        self.assertAlmostEqual(figures[1].value, 1.25)
        self.assertIsNone(figures[1].met)

    def test_where_no_round_counts_all_do(self):
        figures = self.figures([1.5, 1.2, 1.0])
        self.assertAlmostEqual(figures[0].value, 1.25)
        self.assertFalse(figures[0].met)


if __name__ == "__main__":
    unittest.main()
