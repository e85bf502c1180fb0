"""Prepared sentences (`prepare.ts`) read back, and packed into windows and rows."""

import json
from dataclasses import dataclass

import numpy as np

CLS, SEP, MASK = 101, 102, 103
HIDDEN_SHARE = 0.05
WINDOW = 128  # pieces a window at most, [CLS] and [SEP] among them


@dataclass
class Corpus:
    articles: np.ndarray  # [sentences] number of the article a sentence stands in
    starts: np.ndarray  # [sentences + 1] first word of each
    tags: np.ndarray  # [words] -1: not sure
    piece_starts: np.ndarray  # [words + 1] first piece of each
    pieces: np.ndarray  # [pieces]
    features: np.ndarray  # [words, F] 0 or 1


def read(path):
    raw = open(path, "rb").read()
    at = raw.index(b"\n") + 1
    header = json.loads(raw[:at])
    found = {}
    for name, kind, length in header["arrays"]:
        found[name] = np.frombuffer(raw, kind, length, at)
        at += found[name].nbytes
    ends = lambda counts: np.concatenate([[0], np.cumsum(counts, dtype=np.int64)])
    return Corpus(
        found["articles"],
        ends(found["lengths"]),
        found["tags"].copy(),
        ends(found["counts"]),
        found["pieces"],
        found["features"].reshape(-1, header["features"]) if header["features"] else np.zeros((len(found["tags"]), 0), np.uint8),
    )


def chosen(corpus, kept):
    """Some sentences of a corpus. `kept`: [sentences] of booleans."""
    ends = lambda counts: np.concatenate([[0], np.cumsum(counts, dtype=np.int64)])
    lengths, counts = np.diff(corpus.starts), np.diff(corpus.piece_starts)
    words = np.repeat(kept, lengths)
    pieces = corpus.pieces[np.repeat(words, counts)]
    starts = (ends(lengths[kept]), corpus.tags[words], ends(counts[words]))
    return Corpus(corpus.articles[kept], *starts, pieces, corpus.features[words])


def write(path, corpus):
    """As `prepare.ts` writes it."""
    arrays = {
        "articles": corpus.articles.astype(np.int32),
        "lengths": np.diff(corpus.starts).astype(np.int32),
        "tags": corpus.tags.astype(np.int8),
        "counts": np.diff(corpus.piece_starts).astype(np.uint8),
        "pieces": corpus.pieces.astype(np.int32),
        "features": corpus.features.astype(np.uint8).ravel(),
    }
    described = [[name, str(values.dtype), len(values)] for name, values in arrays.items()]
    with open(path, "wb") as file:
        file.write(json.dumps({"features": corpus.features.shape[1], "arrays": described}).encode() + b"\n")
        for values in arrays.values():
            file.write(values.tobytes())


def windows(corpus, limit_of):
    """Word ranges of windows: whole consecutive sentences of one article, up to `limit_of(article)` pieces."""
    room = WINDOW - 2
    at, first, last = corpus.piece_starts, None, None
    article, limit = None, room
    for s in range(len(corpus.articles)):
        start, end = corpus.starts[s], corpus.starts[s + 1]
        if corpus.articles[s] != article:
            if first is not None:
                yield first, last
            article, first = corpus.articles[s], None
            limit = min(room, limit_of(article))
        if first is not None and at[end] - at[first] > limit:
            yield first, last
            first = None
        if first is None and at[end] - at[start] > room:  # a sentence longer than a window is cut
            while at[end] - at[start] > room:
                cut = np.searchsorted(at, at[start] + room, "right") - 1
                yield start, cut
                start = cut
        first = start if first is None else first
        last = end
    if first is not None:
        yield first, last


def rows(corpora, rng):
    """One epoch of rows of `WINDOW` pieces: several windows share a row, apart by their segment's number.

    Every article is cut at a limit of its own, so that single sentences are seen as well as full windows.
    """
    limits = np.array([1, 48, WINDOW, WINDOW])
    items = []
    for c, corpus in enumerate(corpora):
        choice = lambda _: limits[rng.integers(len(limits))]
        items += [(c, a, b) for a, b in windows(corpus, choice)]
    order = rng.permutation(len(items))
    bins, open_bins = [], []
    for i in order:
        c, a, b = items[i]
        at = corpora[c].piece_starts
        size = int(at[b] - at[a]) + 2
        fitting = [j for j, (room, _) in enumerate(open_bins) if room >= size]
        j = min(fitting, key=lambda j: open_bins[j][0]) if fitting else -1
        if j < 0:
            open_bins.append([WINDOW, []])
            j = len(open_bins) - 1
        open_bins[j][0] -= size
        open_bins[j][1].append((c, a, b))
        full = len(open_bins) > 48 or open_bins[j][0] < 6
        if full:
            k = int(np.argmin([room for room, _ in open_bins]))
            bins.append(open_bins.pop(k)[1])
    bins += [items for _, items in open_bins]
    return [bins[i] for i in rng.permutation(len(bins))]


def fill(corpora, row_items, hidden=None):
    """Arrays of a batch: ids, segments, positions, tags (-1: no loss), features; each [rows, WINDOW, ...].

    With a generator `hidden` some words are hidden behind [MASK], so that a name is also told by what stands around it.
    """
    shape = (len(row_items), WINDOW)
    batch = {name: np.zeros(shape, np.int32) for name in ("ids", "segments", "positions")}
    batch["tags"] = np.full(shape, -1, np.int32)
    batch["features"] = np.zeros((*shape, corpora[0].features.shape[1]), np.float32)
    for r, items in enumerate(row_items):
        at = 0
        for segment, (c, a, b) in enumerate(items):
            corpus = corpora[c]
            p, q = corpus.piece_starts[a], corpus.piece_starts[b]
            size = int(q - p) + 2
            span = slice(at, at + size)
            batch["ids"][r, span] = np.concatenate([[CLS], corpus.pieces[p:q], [SEP]])
            batch["segments"][r, span] = segment + 1
            batch["positions"][r, span] = np.arange(size)
            counts = np.diff(corpus.piece_starts[a : b + 1])
            if hidden is not None:
                lost = np.repeat(hidden.random(b - a) < HIDDEN_SHARE, counts)
                batch["ids"][r, at + 1 : at + size - 1][lost] = MASK
            batch["features"][r, at + 1 : at + size - 1] = np.repeat(corpus.features[a:b], counts, axis=0)
            firsts = at + 1 + (corpus.piece_starts[a:b] - p)
            batch["tags"][r, firsts] = corpus.tags[a:b]
            at += size
    return batch
