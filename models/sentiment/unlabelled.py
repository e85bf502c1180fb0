"""Sentences of news that nobody has labelled, each with a name in it: what the teachers say of them, the student learns."""
import gzip
import json
import random
import re

from corpus import Row

ROWS = 14_000
CHARS = range(50, 400)  # of a sentence
SENTENCES = 20  # of an article, from its beginning
BREAK = re.compile(r"(?<=[.!?])[\"”’)]?\s+(?=[\"“‘(]?[A-Z])|\n+")
# Capitalised words behind a small one: a name, mostly of a person, an organisation or a place.
NAME = re.compile(r"(?<=[a-z,] )[A-Z][\w'-]*[a-z][\w'-]*(?: (?:of |the )?[A-Z][\w.'-]+){0,3}")
NO_NAMES = re.compile(
    r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|January|February|March|April|May|June|July|August|September|October"
    r"|November|December|I'(?:m|ve|ll|d)"
)


def unlabelled(path, known):
    """One row a sentence, its target one of the names in it by chance; none of the texts in `known`."""
    chance = random.Random(0)
    with gzip.open(path, "rt") as file:
        articles = [json.loads(line)["text"] for line in file]
    rows = {}
    for text in articles:
        for sentence in BREAK.split(text)[:SENTENCES]:
            sentence = sentence.strip()
            names = [found.span() for found in NAME.finditer(sentence) if not NO_NAMES.match(found.group())]
            if len(sentence) in CHARS and names and sentence not in known:
                rows[sentence] = Row(sentence, *chance.choice(names), -1, "unlabelled")
    return chance.sample(list(rows.values()), ROWS)
