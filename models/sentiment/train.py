"""
Trains the network that reads inner states, and writes `targeted.bin.gz`. Seeded; steps already done are kept in WORK.
Usage: python models/sentiment/train.py LABELLED ARTICLES MODEL WORK [OUT]; see README.md.
"""
import os
import pickle
import sys

import numpy as np
from scipy.special import softmax

from calibrate import calibrated, report
from corpus import corpus
from export import write
from states import States
from trainer import CONFIG, Trainer, view_of
from unlabelled import unlabelled

HELD = 0  # fold: a student whose teachers have not seen it either is measured and calibrated on it
TEACHERS = 4  # networks that differ by their seed
TEACHER_HIDDEN = 64  # units; the student makes do with less
GOLD = 0.5  # of what the student hears of a labelled row; the rest is its teachers' word
POLITICS = 2  # times what a financial row weighs, to the student: finance is the easier of the two
BALANCE = 0.7  # power of the classes' inverse frequency in the labels


def kept(path, make):
    if not os.path.exists(path):
        made = make()
        with open(path, "wb") as file:
            pickle.dump(made, file, protocol=5)
    with open(path, "rb") as file:
        return pickle.load(file)


class Learning:
    """From rows with labels to a student, each step kept."""

    def __init__(self, rows, trainer, work):
        self.trainer, self.work = trainer, work
        self.labels = np.array([row.label for row in rows])
        self.parts = np.array([row.part for row in rows])
        self.folds = np.array([row.fold for row in rows])
        self.more = np.flatnonzero(self.parts == "unlabelled")

    def gold(self, rows):
        """Aims of labelled rows, in both ways of asking: the label, more of it the rarer the class."""
        counts = np.bincount(self.labels[rows], minlength=3)
        aims = np.zeros((len(self.labels), 2, 3), np.float32)
        aims[rows, :, self.labels[rows]] = ((counts.sum() / (3 * counts)) ** BALANCE)[self.labels[rows], None]
        return aims

    def taught(self, teachers, rows):
        """Aims of any rows: the teachers' mean probabilities."""
        aims = np.zeros((len(self.labels), 2, 3), np.float32)
        for whole in (False, True):
            answers = [softmax(self.trainer.predict(teacher, rows, whole), 1) for teacher in teachers]
            aims[rows, int(whole)] = np.mean(answers, 0)
        return aims

    def student(self, name, rows):
        """Networks of several seeds learn the rows; one learns from them what they make of those rows and of more."""
        gold, fit = self.gold(rows), self.trainer.fit
        teachers = [
            kept(f"{self.work}/{name}-teacher-{seed}.pkl", lambda seed=seed: fit(rows, gold, TEACHER_HIDDEN, seed))
            for seed in range(TEACHERS)
        ]

        def learn():
            everything = np.concatenate([rows, self.more])
            aims = self.taught(teachers, everything)
            aims[rows] = GOLD * gold[rows] + (1 - GOLD) * aims[rows]
            aims[self.parts == "politics"] *= POLITICS
            return fit(everything, aims)

        return kept(f"{self.work}/{name}-student.pkl", learn)

    def report(self, calibration, answers, rows):
        report(calibration, answers, self.labels[rows], self.parts[rows])


def main(labelled, articles, model, work, out):
    os.makedirs(work, exist_ok=True)
    gold = corpus(labelled)
    texts = list(dict.fromkeys(row.text for row in gold))
    more = unlabelled(articles, set(texts))
    states = States(texts, model, f"{work}/labelled")
    view = kept(f"{work}/view.pkl", lambda: view_of(states.all, CONFIG["inputs"]))
    others = States([row.text for row in more], model, f"{work}/unlabelled")
    learning = Learning([*gold, *more], Trainer([(gold, states), (more, others)], view), work)
    trained = np.isin(learning.parts, ["politics", "finance"])

    student = learning.student("fold", np.flatnonzero(trained & (learning.folds != HELD)))
    known = np.flatnonzero(trained & (learning.folds == HELD))
    answers = learning.trainer.predict(student, known)
    calibration = calibrated(answers, learning.labels[known], learning.parts[known])
    learning.report(calibration, answers, known)

    student = learning.student("all", np.flatnonzero(trained))
    dev = np.flatnonzero(learning.parts == "dev")
    learning.report(calibration, learning.trainer.predict(student, dev), dev)
    write(out, view, student, calibration)


if __name__ == "__main__":
    folders = sys.argv[1:5]
    main(*folders, sys.argv[5] if len(sys.argv) > 5 else f"{os.path.dirname(__file__)}/targeted.bin.gz")
