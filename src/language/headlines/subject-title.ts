import type { Weigh } from '../summary/summarise.ts'

interface SubjectTitleSubject {
  /** Of the articles at its centre. */
  readonly headlines: readonly string[]
  readonly article_count: number
  readonly entities: readonly { readonly name: string; readonly article_count: number }[]
}

const LABELS = 3
/** A name is of the subject where so many of its articles have it, a word where so many of its headlines do. */
const NAMED_BY = 0.3
const SAID_BY = 0.2
const FEWEST_HEADLINES = 2
/** A name counts more than a word with the same rarity and frequency. */
const WORD_SHARE = 0.7
/** A label with a much lower score than the first is left out. */
const LEAST_SHARE = 0.15
const WORD = /[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu

interface SubjectTitleLabel {
  readonly text: string
  readonly score: number
  /** The terms it consists of. */
  readonly terms: readonly string[]
}

/**
 * What a subject is about, in two or three labels: the names that most of its articles have and the words that most of
 * its headlines have, rare ones first: `Brett Kavanaugh: Senate, hearing`. Empty where nothing is frequent.
 */
export function subjectTitle(subject: SubjectTitleSubject, weigh: Weigh): string {
  const [first, ...rest] = best([...namesOf(subject, weigh), ...wordsOf(subject, weigh)]).map(({ text }) => text)
  if (first === undefined) return ''
  const begun = first.charAt(0).toUpperCase() + first.slice(1)
  return rest.length === 0 ? begun : `${begun}: ${rest.join(', ')}`
}

/** The terms with the highest scores; no term occurs twice. */
function best(labels: SubjectTitleLabel[]): readonly SubjectTitleLabel[] {
  labels.sort((a, b) => b.score - a.score || (a.text < b.text ? -1 : 1))
  const least = LEAST_SHARE * (labels[0]?.score ?? 0)
  const chosen: SubjectTitleLabel[] = []
  const used = new Set<string>()
  for (const label of labels) {
    if (chosen.length === LABELS || label.score < least) break
    if (label.terms.some((term) => used.has(term))) continue
    chosen.push(label)
    for (const term of label.terms) used.add(term)
  }
  return chosen
}

function namesOf({ entities, article_count }: SubjectTitleSubject, weigh: Weigh): SubjectTitleLabel[] {
  return entities.flatMap(({ name, article_count: articles }) => {
    const share = articles / article_count
    const weights = weigh(name)
    if (share < NAMED_BY || weights.size === 0) return []
    return [{ text: name, score: share * Math.max(...weights.values()), terms: [...weights.keys()] }]
  })
}

/** Each word in the form that most headlines have, of equals the first in the alphabet. */
function wordsOf({ headlines }: SubjectTitleSubject, weigh: Weigh): SubjectTitleLabel[] {
  const found = new Map<string, { weight: number; headlines: number; forms: Map<string, number> }>()
  for (const headline of headlines) {
    const seen = new Set<string>()
    for (const [word] of headline.matchAll(WORD)) {
      for (const [term, weight] of weigh(word)) {
        const known = found.get(term) ?? { weight, headlines: 0, forms: new Map<string, number>() }
        found.set(term, known)
        if (!seen.has(term)) known.headlines += 1
        seen.add(term)
        known.forms.set(word, (known.forms.get(word) ?? 0) + 1)
      }
    }
  }
  return [...found].flatMap(([term, { weight, headlines: saying, forms }]) => {
    const share = saying / headlines.length
    if (share < SAID_BY || saying < FEWEST_HEADLINES) return []
    const [[text] = [term]] = [...forms].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    return [{ text, score: WORD_SHARE * share * weight, terms: [term] }]
  })
}
