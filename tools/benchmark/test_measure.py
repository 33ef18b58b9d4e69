"""Run by tools/test: python3 -m unittest discover -s tools/benchmark"""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import measure  # noqa: E402


class Copies(unittest.TestCase):
    """Several copies of a command at once."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.children = []

    def run_copies(self, script, count=2):
        return measure.run(measure.Command(["sh", "-c", script], pathlib.Path(os.devnull), self.folder, count))

    def recorded(self, fail_at=None):
        """Popen that keeps the children it starts; it fails for the one numbered `fail_at`."""
        start = subprocess.Popen

        def popen(*arguments, **options):
            if len(self.children) == fail_at:
                raise OSError("no more processes")
            self.children.append(start(*arguments, **options))
            return self.children[-1]
        return unittest.mock.patch.object(measure.subprocess, "Popen", popen)

    def check_gone(self):
        for child in self.children:
            with self.assertRaises(ProcessLookupError):
                os.kill(child.pid, 0)

    def test_all_end_well(self):
        self.assertGreater(self.run_copies("true").wall, 0)

    def test_the_end_that_was_not_0_is_named_also_where_a_signal_killed_one_of_two(self):
        # The first to make the folder is killed; the other one ends with 0.
        for script, code in [("mkdir killed || exit 0; kill -SEGV $$", -11), ("mkdir failed || exit 0; exit 3", 3)]:
            with self.assertRaisesRegex(measure.CommandFailed, f"exit {code}: "):
                self.run_copies(script)

    def test_a_copy_that_cannot_be_started_leaves_none_behind(self):
        with self.recorded(fail_at=1), self.assertRaises(OSError):
            self.run_copies("exec sleep 60")
        self.assertEqual(len(self.children), 1)
        self.check_gone()

    def test_a_wait_that_is_interrupted_leaves_none_behind(self):
        with self.recorded(), unittest.mock.patch.object(measure.os, "wait4", side_effect=KeyboardInterrupt), \
                self.assertRaises(KeyboardInterrupt):
            self.run_copies("exec sleep 60")
        self.assertEqual(len(self.children), 2)
        self.check_gone()


if __name__ == "__main__":
    unittest.main()
