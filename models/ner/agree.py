"""Silver labels that are worth learning: `python agree.py MODEL TEACHER.bin SECOND_TEACHER.bin OUT.bin`.

A word keeps the tag that the model trained on gold labels and one of the teachers give it. The two teachers together
do not outvote the model: they learnt from the same texts. Of all other words the loss is left out; as context they stay.
"""

import sys

import numpy as np

import data
from predict import decoded, scores_of

QUIET = 4  # of the sentences without a name one in so many is enough
READ, OF = 2, 3  # so many of so many articles: what one core learns from in three quarters of an hour
DOUBT = 0.15  # a sentence with more unsure words than this is left out


def main():
    model, first, second, out = sys.argv[1:]
    corpus, other = data.read(first), data.read(second).tags
    own = np.fromfile(model, np.int8) if model.endswith(".tags") else decoded(corpus, scores_of(model, corpus))
    agreed = (own == corpus.tags) | (own == other)
    named = (corpus.tags > 0) | (own > 0)
    print(f"{len(own)} words, {named.sum()} in names; agreed on {agreed[named].mean():.3f} of these")
    corpus.tags = np.where(agreed, own, -1).astype(np.int8)
    per_sentence = lambda values: np.add.reduceat(values.astype(np.int32), corpus.starts[:-1])
    kept = (per_sentence(corpus.tags > 0) > 0) | (np.arange(len(corpus.articles)) % QUIET == 0)
    kept &= per_sentence(~agreed) <= DOUBT * np.diff(corpus.starts)
    kept &= corpus.articles % OF < READ
    data.write(out, data.chosen(corpus, kept))
    print(f"{kept.sum()} of {len(kept)} sentences")


main()
