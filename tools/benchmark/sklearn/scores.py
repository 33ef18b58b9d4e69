"""Scores pairs of sections as people do without `aisle eval`: scikit-learn's classification_report and confusion_matrix.

`names FILE.tsv` reads truth<TAB>answer rows; `numbers FILE.npy` reads a row of truths and one of answers, already counted off.
"""
import sys

import numpy
import pandas
from sklearn.metrics import classification_report, confusion_matrix

kind, path = sys.argv[1:]
if kind == "names":
    truths, answers = (column.to_numpy() for _, column in pandas.read_csv(
        path, sep="\t", header=None, dtype=str, keep_default_na=False, quoting=3).items())
else:
    truths, answers = numpy.load(path)
print(classification_report(truths, answers, digits=3, zero_division=0))
matrix = confusion_matrix(truths, answers)
print("\n".join("\t".join(map(str, row)) for row in matrix))
print(f"right\t{matrix.trace()}")
