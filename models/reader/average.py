"""The weighted mean of weights of one training: `python average.py OUT.pkl FILE.pkl=WEIGHT ...`. Missing features count as 0."""

import pickle
import sys

import jax
import numpy as np


def main():
    out, *named = sys.argv[1:]
    files, weights = zip(*(one.rsplit("=", 1) for one in named))
    shares = np.array(weights, float) / np.array(weights, float).sum()
    every = [pickle.load(open(file, "rb"))[0] for file in files]
    features = max(len(params["case"]) for params in every)
    padded = [{**p, "case": np.pad(p["case"], ((0, features - len(p["case"])), (0, 0)))} for p in every]
    mean = jax.tree.map(lambda *xs: sum(x * np.float32(share) for x, share in zip(xs, shares)), *padded)
    pickle.dump((mean, None), open(out, "wb"))


main()
