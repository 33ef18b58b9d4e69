"""Run by tools/test: python3 -m unittest discover -s tools/strategies"""
import unittest

from conversation import Conversation


class Trigrams(unittest.TestCase):
    def test_it_introduces_itself(self):
        with Conversation("trigrams.py") as strategy:
            hello = strategy.begin()
            self.assertEqual((hello["type"], hello["protocol"], hello["name"]), ("hello", 1, "trigrams"))

    def test_a_misspelled_good_is_found(self):
        with Conversation("trigrams.py") as strategy:
            strategy.begin()
            self.assertEqual(
                strategy.sections("bluberries", "laundry detergant", "greek yoghurt"), ["Produce", "Household", "Dairy & Eggs"])

    def test_the_evidence_is_a_part_of_the_item(self):
        with Conversation("trigrams.py") as strategy:
            strategy.begin()
            [answer] = strategy.ask("two bananas")
            self.assertIn(answer["evidence"].removeprefix("letters `").removesuffix("`"), "two bananas")
            self.assertTrue(0.5 <= answer["confidence"] <= 1)

    def test_it_abstains_from_what_has_no_letters_that_it_knows(self):
        with Conversation("trigrams.py") as strategy:
            strategy.begin()
            self.assertEqual(strategy.sections("", "42", "???", "xyzzy", "ж", "\0"), [None] * 6)

    def test_a_descriptor_says_nothing(self):
        with Conversation("trigrams.py") as strategy:
            strategy.begin()
            self.assertEqual(strategy.sections("fresh"), [None])

    def test_a_store_without_keywords_has_no_answers(self):
        with Conversation("trigrams.py", shelves=[]) as strategy:
            strategy.begin()
            self.assertEqual(strategy.sections("apple"), [None])

    def test_it_stays_within_60_lines(self):
        with open(__file__.replace("test_trigrams", "trigrams")) as file:
            self.assertLessEqual(len(file.readlines()), 60)


if __name__ == "__main__":
    unittest.main()
