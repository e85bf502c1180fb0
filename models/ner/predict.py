"""Tags of prepared sentences, by weights or by an ONNX file: `python predict.py MODEL FILE.bin OUT` (int8, one a word)."""

import pickle
import sys

import jax
import numpy as np

import data
import model

ILLEGAL = -1e4
ROWS = 16


def legal_moves():
    """[tags, tags]: 0 where a name may go on so, else `ILLEGAL` (`isLegal` of tags.ts); and the same for the first word."""
    moves = np.full((model.TAGS, model.TAGS), ILLEGAL, np.float32)
    for a in range(model.TAGS):
        for b in range(model.TAGS):
            if b == 0 or b % 2 == 1 or a == b or a == b - 1:
                moves[a, b] = 0
    return moves, moves[0]


def viterbi(scores, moves, start):
    best, back = scores[0] + start, []
    for row in scores[1:]:
        through = best[:, None] + moves
        back.append(through.argmax(0))
        best = through.max(0) + row
    tags = [int(best.argmax())]
    for row in reversed(back):
        tags.append(int(row[tags[-1]]))
    return tags[::-1]


def by_weights(params, corpus):
    """Emissions of every word [words, tags], in windows as the service packs them."""
    found = np.zeros((len(corpus.tags), model.TAGS), np.float32)
    run = jax.jit(model.emissions)
    every = [[(0, a, b)] for a, b in data.windows(corpus, lambda _: data.WINDOW)]
    for i in range(0, len(every), ROWS):
        part = every[i : i + ROWS]
        batch = data.fill([corpus], part + part[:1] * (ROWS - len(part)))
        scores = np.asarray(run(params, {k: batch[k] for k in ("ids", "segments", "positions", "features")}))
        for r, [(_, a, b)] in enumerate(part):
            found[a:b] = scores[r, 1 + corpus.piece_starts[a:b] - corpus.piece_starts[a]]
    return found


def by_onnx(session, corpus):
    """The same by an exported file, a window at a time."""
    found = np.zeros((len(corpus.tags), model.TAGS), np.float32)
    for a, b in data.windows(corpus, lambda _: data.WINDOW):
        p, q = corpus.piece_starts[a], corpus.piece_starts[b]
        ids = np.concatenate([[data.CLS], corpus.pieces[p:q], [data.SEP]])[None].astype(np.int64)
        rows = np.repeat(corpus.features[a:b], np.diff(corpus.piece_starts[a : b + 1]), axis=0)
        features = np.pad(rows, ((1, 1), (0, 0)))[None].astype(np.float32)
        [scores] = session.run(["emissions"], {"input_ids": ids, "case_features": features})
        found[a:b] = scores[0, 1 + corpus.piece_starts[a:b] - p]
    return found


def decoded(corpus, scores):
    moves, start = legal_moves()
    tags = np.zeros(len(scores), np.int8)
    for a, b in zip(corpus.starts[:-1], corpus.starts[1:]):
        if b > a and scores[a:b, 0].size and (scores[a:b].argmax(1) != 0).any():
            tags[a:b] = viterbi(scores[a:b], moves, start)
    return tags


def spans(tags, types):
    found, i = set(), 0
    while i < len(tags):
        tag, start, i = tags[i], i, i + 1
        if tag <= 0:
            continue
        within = tag + tag % 2
        while i < len(tags) and tags[i] == within:
            i += 1
        if within // 2 in types:
            found.add((within, start, i))
    return found


def f1(corpus, tags, types=(1, 2, 3)):
    right = given = expected = 0
    for a, b in zip(corpus.starts[:-1], corpus.starts[1:]):
        want, have = spans(corpus.tags[a:b], types), spans(tags[a:b], types)
        right, given, expected = right + len(want & have), given + len(have), expected + len(want)
    return 200 * right / max(1, given + expected)


def approximate_f1(params, corpus):
    """Against labels cleaned as the training data is, without the service's own rules: to watch a run."""
    tags = decoded(corpus, by_weights(params, corpus))
    return f"{f1(corpus, tags):.2f}, events {f1(corpus, tags, (4,)):.2f}"


def scores_of(path, corpus):
    if not path.endswith(".onnx"):
        return by_weights(pickle.load(open(path, "rb")), corpus)
    import onnxruntime

    settings = onnxruntime.SessionOptions()
    settings.intra_op_num_threads = 1
    return by_onnx(onnxruntime.InferenceSession(path, settings), corpus)


if __name__ == "__main__":
    corpus = data.read(sys.argv[2])
    tags = decoded(corpus, scores_of(sys.argv[1], corpus))
    tags.tofile(sys.argv[3])
    print(f"{sys.argv[2]}: about {f1(corpus, tags):.2f}")
