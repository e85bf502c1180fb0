"""Makes probabilities mean what they say, on rows that the network was not trained on."""
from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize
from scipy.special import log_softmax, softmax
from sklearn.metrics import f1_score

BINS = 10


@dataclass(frozen=True)
class Calibration:
    scale: float  # of the logits
    bias: np.ndarray  # of each class, added after scaling

    def probabilities(self, logits):
        return softmax(logits * self.scale + self.bias, 1)


def calibrated(logits, labels, parts):
    """One temperature and three biases by likelihood, each set counting the same."""
    weights = np.select([parts == part for part in set(parts)], [1 / (parts == part).sum() for part in set(parts)])

    def loss(values):
        chances = log_softmax(logits * np.exp(values[0]) + np.array([values[1], 0, values[2]]), 1)
        return -(weights * chances[np.arange(len(labels)), labels]).sum()

    scale, negative, positive = minimize(loss, np.zeros(3), method="Nelder-Mead").x
    return Calibration(float(np.exp(scale)), np.array([negative, 0, positive]))


def macro_f1(labels, answers):
    return 100 * f1_score(labels, answers, average="macro")


def report(calibration, logits, labels, parts):
    for part in sorted(set(parts)):
        here, found = labels[parts == part], calibration.probabilities(logits[parts == part])
        print(
            f"{part:9} n={len(here):5} macro-F1 {macro_f1(here, found.argmax(1)):.1f}, expected calibration error {100 * calibration_error(found, here):.1f} %,"
            f" mean P {np.round(found.mean(0), 2)} of {np.round(np.bincount(here, minlength=3) / len(here), 2)}"
        )
    print(calibration)


def calibration_error(probabilities, labels):
    """How far the likeliest class's probability is from how often it is right, over bins of that probability."""
    sure, right = probabilities.max(1), probabilities.argmax(1) == labels
    bins = np.minimum(BINS - 1, (sure * BINS).astype(int))
    return sum(abs((sure - right)[bins == each].sum()) for each in range(BINS)) / len(labels)
