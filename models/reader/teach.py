"""What the teachers say: sentence vectors and piece states of the encoder, tag scores of the two taggers, added up.

`python teach.py ENCODER_INT8.onnx TAGGER.onnx FAST_HEAD.onnx FILE.bin OUT [PART PARTS]`: OUT.npz and OUT.states.npy.
Every sentence is encoded alone, as far as the encoder's window reaches; the states of what is beyond are zero.
"""

import sys
from pathlib import Path

import numpy as np
import onnx
import onnxruntime

sys.path.insert(0, str(Path(__file__).parent.parent / "ner"))
import data  # noqa: E402
from fast import STATE  # noqa: E402

WINDOW = 126  # pieces
HEAD_SHARE = 0.5  # of the fast head's scores, as in the cascade that the two made up


def opened(model):
    settings = onnxruntime.SessionOptions()
    settings.intra_op_num_threads = 1
    return onnxruntime.InferenceSession(model, settings)


def width_of(session):
    """Features that a tagger reads: it may know only the first, those of case."""
    return session.get_inputs()[1].shape[-1]


def with_inner(path):
    whole = onnx.load(path)
    whole.graph.output.append(onnx.helper.make_tensor_value_info(STATE, onnx.TensorProto.FLOAT, None))
    return opened(whole.SerializeToString())


def part_of(corpus, part, parts):
    """Sentence range of a part: whole articles."""
    count = len(corpus.articles)
    edges = [count * k // parts for k in (part, part + 1)]
    for i, edge in enumerate(edges):
        while 0 < edge < count and corpus.articles[edge] == corpus.articles[edge - 1]:
            edge += 1
        edges[i] = edge
    return edges


class Taught:
    """Arrays of a part of a corpus, filled by the two passes."""

    def __init__(self, corpus, a, b, out):
        self.corpus, self.a, self.b = corpus, a, b
        self.word, self.piece = corpus.starts[a], corpus.piece_starts[corpus.starts[a]]
        pieces = int(corpus.piece_starts[corpus.starts[b]] - self.piece)
        shape = (pieces, 384)
        self.states = np.lib.format.open_memmap(f"{out}.states.npy", "w+", np.float16, shape)
        self.vectors = np.zeros((b - a, 384), np.float16)
        self.scores = np.zeros((corpus.starts[b] - self.word, 9), np.float32)

    def read_alone(self, encoder, head):
        c = self.corpus
        for s in range(self.a, self.b):
            i, j = c.starts[s], c.starts[s + 1]
            p = c.piece_starts[i]
            q = min(c.piece_starts[j], p + WINDOW)
            ids = np.concatenate([[data.CLS], c.pieces[p:q], [data.SEP]])[None].astype(np.int64)
            feeds = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
            [last], [inner] = encoder.run(["last_hidden_state", STATE], feeds)
            mean = last.mean(0)
            self.vectors[s - self.a] = mean / np.linalg.norm(mean)
            self.states[p - self.piece : q - self.piece] = last[1:-1]
            firsts = c.piece_starts[i:j] - p + 1
            read = firsts < len(last) - 1
            if read.any():
                features = c.features[i:j][read][:, : width_of(head)].astype(np.float32)
                feeds = {"states": inner[firsts[read]], "case_features": features}
                [scores] = head.run(None, feeds)
                self.scores[i - self.word : j - self.word][read] += HEAD_SHARE * scores.reshape(-1, 9)

    def read_in_windows(self, tagger):
        c = data.chosen(self.corpus, np.isin(np.arange(len(self.corpus.articles)), np.arange(self.a, self.b)))
        for x, y in data.windows(c, lambda _: data.WINDOW):
            p, q = c.piece_starts[x], c.piece_starts[y]
            ids = np.concatenate([[data.CLS], c.pieces[p:q], [data.SEP]])[None].astype(np.int64)
            rows = np.repeat(c.features[x:y], np.diff(c.piece_starts[x : y + 1]), axis=0)
            features = np.pad(rows, ((1, 1), (0, 0)))[None].astype(np.float32)
            [[scores]] = tagger.run(None, {"input_ids": ids, "case_features": features[..., : width_of(tagger)]})
            self.scores[x:y] += scores[1 + c.piece_starts[x:y] - p]


def main():
    encoder, tagger, head, file, out = sys.argv[1:6]
    part, parts = map(int, sys.argv[6:8]) if len(sys.argv) > 6 else (0, 1)
    corpus = data.read(file)
    taught = Taught(corpus, *part_of(corpus, part, parts), out)
    taught.read_alone(with_inner(encoder), opened(head))
    taught.read_in_windows(opened(tagger))
    taught.states.flush()
    np.savez(f"{out}.npz", vectors=taught.vectors, scores=taught.scores.astype(np.float16))


main()
