"""The reader as the service runs it: `python export.py WEIGHTS.pkl OUT` writes OUT.onnx (int8 per channel) and OUT.json."""

import pickle
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "ner"))
import model  # noqa: E402
from export import write  # noqa: E402

OUTSIDE = 0.6  # added to the score of O: softened scores of teachers made the reader find too much


def main():
    weights, out = sys.argv[1:3]
    params, *_ = pickle.load(open(weights, "rb"))
    params["head"]["b"] = params["head"]["b"] + OUTSIDE * np.eye(model.TAGS)[0].astype(np.float32)
    write(params, out, states=True)


main()
