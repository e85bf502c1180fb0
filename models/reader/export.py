"""The reader as the service runs it: `python export.py WEIGHTS.pkl OUT` writes OUT.onnx (int8 per channel) and OUT.json."""

import json
import os
import pickle
import sys
import tempfile
from pathlib import Path

import numpy as np
from onnx import checker, save
from onnxruntime.quantization import QuantType, quantize_dynamic

sys.path.insert(0, str(Path(__file__).parent.parent / "ner"))
import model  # noqa: E402
from export import graph_of  # noqa: E402
from predict import legal_moves  # noqa: E402

OUTSIDE = 0.4  # added to the score of O: softened scores of teachers made the reader find too much


def main():
    weights, out = sys.argv[1:3]
    params, *_ = pickle.load(open(weights, "rb"))
    params["head"]["b"] = params["head"]["b"] + OUTSIDE * np.eye(model.TAGS)[0].astype(np.float32)
    whole = graph_of(params, states=True)
    checker.check_model(whole)
    with tempfile.TemporaryDirectory() as folder:
        save(whole, f"{folder}/fp32.onnx")
        # The head and the case matrix are small, and what they read is not like the rest: they stay as they are.
        quantize_dynamic(
            f"{folder}/fp32.onnx",
            f"{out}.onnx",
            per_channel=True,
            weight_type=QuantType.QInt8,
            op_types_to_quantize=["MatMul", "Gather"],
            nodes_to_exclude=["head_matmul", "case_matmul"],
            extra_options={"MatMulConstBOnly": True},
        )
    moves, start = legal_moves()
    chain = {"transitions": moves.tolist(), "start": start.tolist(), "features": int(params["case"].shape[0])}
    json.dump(chain, open(f"{out}.json", "w"))
    print(f"{out}.onnx: {os.path.getsize(f'{out}.onnx')} bytes")


main()
