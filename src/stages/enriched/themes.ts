import stemmer from 'natural/lib/natural/stemmers/porter_stemmer.js'

const STOP_WORDS =
  'about above after again against all also am an and any are as at be because been before being below between both but ' +
  'by can cannot could did do does doing down during each even few for from further get got had has have having he her ' +
  'here hers him his how if in into is it its just know like made make many may me might more most much must my no nor ' +
  'not now of off on once one only or other our out over own people said same say says see she should so some still such ' +
  'than that the their them then there these they thing think this those through to too two under until up us very via ' +
  'want was we well were what when where which while who whom why will with would yes you your amp com http https www'

const IGNORED: ReadonlySet<string> = new Set(STOP_WORDS.split(' '))

/** The content words of a post, lower case, as written. */
const words = (text: string): readonly string[] =>
  (
    text
      .toLowerCase()
      .replace(/https?:\S+|[@#]\w+/g, ' ')
      .match(/\p{L}[\p{L}\p{N}'’-]{2,}/gu) ?? []
  ).filter((word) => !IGNORED.has(word))

/** The different content words of a post by their stems (Porter 1980): "bridge" and "bridges" are one term. */
export const terms = (text: string): readonly string[] => [...new Set(words(text).map(stemmer.stem))]

/** At most this many themes a record. */
const MOST = 5

/**
 * What a story's posts talk about more than all posts do: class-based TF-IDF (Grootendorst 2022), where the class is
 * the story's posts and its own number of terms stands for the average class's, so that the answer does not depend on
 * the stories other posts were given. A term needs two posts, or it is one person's word; it is shown as it is mostly
 * written.
 */
export function themes(posts: readonly string[], postsWith: (term: string) => number): string[] {
  const inClass = new Map<string, number>()
  for (const post of posts) for (const term of terms(post)) inClass.set(term, (inClass.get(term) ?? 0) + 1)
  const size = [...inClass.values()].reduce((sum, count) => sum + count, 0)
  const weighed = [...inClass]
    .filter(([, frequency]) => frequency >= 2)
    .map(([term, frequency]) => [term, frequency * Math.log(1 + size / Math.max(postsWith(term), frequency))] as const)
  weighed.sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
  const spelling = spellings(posts)
  return weighed.slice(0, MOST).map(([term]) => spelling.get(term) ?? term)
}

/** Each term in the form most posts write it in; of equals the first in the alphabet. */
function spellings(posts: readonly string[]): ReadonlyMap<string, string> {
  const forms = new Map<string, Map<string, number>>()
  for (const word of posts.flatMap(words)) {
    const term = stemmer.stem(word)
    const counted = forms.get(term) ?? new Map<string, number>()
    forms.set(term, counted.set(word, (counted.get(word) ?? 0) + 1))
  }
  const most = (counted: ReadonlyMap<string, number>): string =>
    [...counted].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))[0]?.[0] ?? ''
  return new Map([...forms].map(([term, counted]) => [term, most(counted)]))
}
