"""Run by tools/test: python3 -m unittest discover -s tools/strategies"""
import os, re, tempfile, unittest

from conversation import FOLDER, Conversation


class Documentation(unittest.TestCase):
    """What docs/external-strategies.md shows works as it stands there."""

    def test_the_first_program(self):
        with open(os.path.join(FOLDER, "../../docs/external-strategies.md")) as file:
            [program] = re.findall(r"```python\n(.*?)```", file.read(), re.DOTALL)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "wine.py")
            with open(path, "w") as file:
                file.write(program)
            with Conversation(path) as strategy:
                hello = strategy.begin()
                self.assertEqual((hello["type"], hello["protocol"], hello["name"]), ("hello", 1, "wine"))
                self.assertEqual(strategy.sections("red wine", "kale"), ["Beverages", None])


if __name__ == "__main__":
    unittest.main()
