"""Silver labels that are worth learning: `python agree.py MODEL TEACHER.bin OUT.bin [SECOND_TEACHER.bin]`.

A word keeps the teacher's tag where the model trained on gold labels agrees. Where it does not, the two teachers
together outvote it; otherwise the word's loss is left out, but the word stays as context.
"""

import sys

import numpy as np

import data
from predict import decoded, scores_of

EVENTS = (7, 8)


def main():
    model, source, out, *second = sys.argv[1:]
    corpus = data.read(source)
    own = decoded(corpus, scores_of(model, corpus))
    agreed = own == corpus.tags
    kept = agreed.copy()
    if second:
        # A teacher knows no events: its O does not outvote one.
        kept |= (data.read(second[0]).tags == corpus.tags) & ~np.isin(own, EVENTS)
    tags = np.where(kept, corpus.tags, -1).astype(np.int8)
    data.replace_tags(source, out, tags)
    named = (corpus.tags > 0) | (own > 0)
    print(f"{len(tags)} words, {named.sum()} in names; agreed {agreed[named].mean():.3f}, kept {kept[named].mean():.3f}")


main()
