const STOP_WORDS =
  'about above after again against all also am an and any are as at be because been before being below between both but ' +
  'by can cannot could did do does doing down during each even few for from further get got had has have having he her ' +
  'here hers him his how if in into is it its just know like made make many may me might more most much must my no nor ' +
  'not now of off on once one only or other our out over own people said same say says see she should so some still such ' +
  'than that the their them then there these they thing think this those through to too two under until up us very via ' +
  'want was we well were what when where which while who whom why will with would yes you your amp com http https www'

const IGNORED: ReadonlySet<string> = new Set(STOP_WORDS.split(' '))

/** The different content words of a post, lower case. */
export function terms(text: string): readonly string[] {
  const words =
    text
      .toLowerCase()
      .replace(/https?:\S+|[@#]\w+/g, ' ')
      .match(/\p{L}[\p{L}\p{N}'’-]{2,}/gu) ?? []
  return [...new Set(words)].filter((word) => !IGNORED.has(word))
}

/** At most this many themes a record. */
const MOST = 5

/**
 * What a story's posts talk about more than all posts do: class-based TF-IDF (Grootendorst 2022), where the class is
 * the story's posts. A term needs two posts, or it is one person's word.
 */
export function themes(posts: readonly string[], counts: ReadonlyMap<string, number>, classes: number): string[] {
  const inClass = new Map<string, number>()
  for (const post of posts) for (const term of terms(post)) inClass.set(term, (inClass.get(term) ?? 0) + 1)
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
  const average = total / Math.max(classes, 1)
  const weighed = [...inClass]
    .filter(([, frequency]) => frequency >= 2)
    .map(([term, frequency]) => [term, frequency * Math.log(1 + average / (counts.get(term) ?? frequency))] as const)
  weighed.sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
  return weighed.slice(0, MOST).map(([term]) => term)
}
