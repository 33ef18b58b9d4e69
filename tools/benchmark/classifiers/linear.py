"""scikit-learn: TF-IDF of words, pairs of words and the letters within words, and a linear support vector machine over them."""
import pickle

from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.pipeline import make_pipeline, make_union
from sklearn.svm import LinearSVC

import text

PENALTY = 1.0  # the best of those tried by cross-validation on the corpus's tune split


def train(rows, path):
    words = TfidfVectorizer(ngram_range=(1, 2), token_pattern=r"\S+", sublinear_tf=True)
    letters = TfidfVectorizer(analyzer="char_wb", ngram_range=(3, 5), sublinear_tf=True)
    model = make_pipeline(make_union(words, letters), LinearSVC(C=PENALTY, random_state=1))
    texts, sections, weights = zip(*rows)
    model.fit(texts, sections, linearsvc__sample_weight=weights)
    with open(path, "wb") as file:
        pickle.dump(model, file)


def predict(path, texts):
    with open(path, "rb") as file:
        return pickle.load(file).predict(texts)


if __name__ == "__main__":
    text.main(train, predict)
