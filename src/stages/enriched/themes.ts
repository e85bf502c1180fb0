import stemmer from 'natural/lib/natural/stemmers/porter_stemmer.js'
import { remembered } from '../../language/memoize.ts'

const STOP_WORDS =
  'about above after again against all also am an and any are as at be because been before being below between both but ' +
  'by can cannot could did do does doing down during each even few for from further get got had has have having he her ' +
  'here hers him his how if in into is it its just know like made make many may me might more most much must my no nor ' +
  'not now of off on once one only or other our out over own people said same say says see she should so some still such ' +
  'than that the their them then there these they thing think this those through to too two under until up us very via ' +
  'want was we well were what when where which while who whom why will with would yes you your amp com http https www ' +
  "don't doesn't didn't can't isn't it's that's i'm you're they're there's won't wasn't aren't he's she's what's let's " +
  'don’t doesn’t didn’t can’t isn’t it’s that’s i’m you’re they’re there’s won’t wasn’t aren’t he’s she’s what’s let’s'

const IGNORED: ReadonlySet<string> = new Set(STOP_WORDS.split(' '))

/** The distinct content words of a post, in lower case, not stemmed. */
export const contentWords = (text: string): readonly string[] => [
  ...new Set(
    (
      text
        .toLowerCase()
        .replace(/https?:\S+|[@#]\w+/g, ' ')
        .match(/\p{L}[\p{L}\p{N}'’-]{2,}/gu) ?? []
    ).filter((word) => !IGNORED.has(word)),
  ),
]

/** Porter 1980: "bridge" and "bridges" are one term. */
const stem = remembered((word) => stemmer.stem(word))

/** The distinct terms of content words. */
export const terms = (words: readonly string[]): readonly string[] => [...new Set(stemsOf(words))]

/** Maximum themes per record. */
const MOST = 5

interface Used {
  readonly term: string
  posts: number
  /** The last post that contained it, counted from 1. */
  last: number
  /** Its spelling, and the number of posts with that spelling. Most terms have one. */
  readonly form: string
  inForm: number
  /** Other spellings, with the number of posts each. */
  others: Map<string, number> | null
}

/**
 * The themes that a story's posts mention more than posts in general: class-based TF-IDF (Grootendorst 2022). The class
 * is the story's posts. Its own number of terms replaces the average class size, so that the result does not depend on
 * the assignment of other posts. A term needs at least two posts. It is shown in its most frequent spelling.
 */
export function themeTally() {
  const used = new Map<string, Used>()
  /** Terms in at least two posts. */
  const shared: Used[] = []
  let [size, posts] = [0, 0]
  return {
    add(words: readonly string[]): void {
      posts += 1
      const stems = stemsOf(words)
      for (let i = 0; i < words.length; i++) {
        const own = usedAs(used, words[i] ?? '', stems[i] ?? '')
        if (own.last === posts) continue
        own.last = posts
        size += 1
        own.posts += 1
        if (own.posts === 2) shared.push(own)
      }
    },
    themes: (postsWith: (term: string) => number): string[] => heaviest(shared, size, postsWith).map(commonSpelling),
  }
}

function usedAs(used: Map<string, Used>, word: string, term: string): Used {
  const known = used.get(term)
  if (known === undefined) {
    const own = { term, posts: 0, last: 0, form: word, inForm: 1, others: null }
    used.set(term, own)
    return own
  }
  if (known.form === word) known.inForm += 1
  else {
    known.others ??= new Map()
    known.others.set(word, (known.others.get(word) ?? 0) + 1)
  }
  return known
}

const stems = new WeakMap<readonly string[], readonly string[]>()

/** Cached, since a post is added repeatedly. */
function stemsOf(words: readonly string[]): readonly string[] {
  const known = stems.get(words)
  const made = known ?? words.map(stem)
  if (known === undefined) stems.set(words, made)
  return made
}

interface WeighedUse {
  readonly own: Used
  readonly weight: number
}

/**
 * The terms with the highest weights; ties in alphabetical order. The weight of a term is bounded by its weight if no
 * other post used it, and this bound grows with its posts. Terms with few posts can therefore be skipped without
 * looking up their total.
 */
function heaviest(shared: readonly Used[], size: number, postsWith: (term: string) => number): readonly Used[] {
  const weigh = (posts: number, all: number): number => posts * Math.log(1 + size / Math.max(all, posts))
  const best: WeighedUse[] = []
  let fewest = 1
  for (const own of shared) {
    if (own.posts < fewest) continue
    const weighed = { own, weight: weigh(own.posts, postsWith(own.term)) }
    const last = best[MOST - 1]
    if (last !== undefined && order(weighed, last) > 0) continue
    best.push(weighed)
    best.sort(order)
    best.length = Math.min(best.length, MOST)
    const lowest = best[MOST - 1]?.weight ?? 0
    while (weigh(fewest, 0) < lowest) fewest += 1
  }
  return best.map(({ own }) => own)
}

const order = (a: WeighedUse, b: WeighedUse): number => b.weight - a.weight || (a.own.term < b.own.term ? -1 : 1)

/** The most frequent spelling; ties in alphabetical order. */
function commonSpelling({ form, inForm, others }: Used): string {
  let [best, most] = [form, inForm]
  for (const [other, posts] of others ?? []) {
    if (posts < most || (posts === most && other > best)) continue
    best = other
    most = posts
  }
  return best
}
