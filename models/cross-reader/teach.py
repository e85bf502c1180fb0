"""The encoder's states of all pieces of prepared sentences: `python teach.py E5.onnx E5.bin IN.bin OUT.npy`.

float16[pieces, 384], in windows as the service packs them.
"""

import sys
from pathlib import Path

import numpy as np
import onnxruntime as ort

sys.path[:0] = [str(Path(__file__).parent.parent / name) for name in ("ner", "cross-language")]
import data  # noqa: E402
from convert import Source, dequantised  # noqa: E402

MARKS = (0, 2)


def main():
    layers, weights, prepared, out = sys.argv[1:5]
    source = Source(weights)
    rows = np.frombuffer(source.raw("emb.word"), np.uint8).reshape(int(source.vocabulary), -1)
    options = ort.SessionOptions()
    options.intra_op_num_threads = 1
    session = ort.InferenceSession(layers, options, providers=["CPUExecutionProvider"])
    corpus = data.read(prepared)
    states = np.zeros((len(corpus.pieces), 384), np.float16)
    for a, b in data.windows(corpus, lambda _: data.WINDOW):
        p, q = corpus.piece_starts[a], corpus.piece_starts[b]
        ids = np.concatenate([[MARKS[0]], corpus.pieces[p:q], [MARKS[1]]])
        words = dequantised(rows[ids].tobytes(), 384)[None].astype(np.float32)
        states[p:q] = session.run(None, {"words": words})[0][0, 1:-1]
    np.save(out, states)


main()
