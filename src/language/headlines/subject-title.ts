import type { Weigh } from '../summary/summarise.ts'

interface SubjectTitleSubject {
  /** Headlines of its most central articles. */
  readonly headlines: readonly string[]
  readonly article_count: number
  readonly entities: readonly { readonly name: string; readonly article_count: number }[]
}

const LABELS = 3
/** Minimum share of articles that mention a name, and of headlines that contain a word. */
const MIN_NAME_SHARE = 0.3
const MIN_WORD_SHARE = 0.2
const MIN_HEADLINES = 2
/** A name counts more than a word with the same rarity and frequency. */
const WORD_WEIGHT = 0.7
/** Minimum score of a label as a share of the first label's score. */
const MIN_SCORE_SHARE = 0.15
const WORD = /[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu

interface SubjectTitleLabel {
  readonly text: string
  readonly score: number
  /** The terms it consists of. */
  readonly terms: readonly string[]
}

/**
 * Title of a subject page from up to three labels: names and words that are frequent in its articles and headlines but
 * rare elsewhere, best first: `Brett Kavanaugh: hearing, Senate`. Empty if no name or word is frequent enough.
 */
export function subjectTitle(subject: SubjectTitleSubject, weigh: Weigh): string {
  const [first, ...rest] = best([...namesOf(subject, weigh), ...wordsOf(subject, weigh)]).map(({ text }) => text)
  if (first === undefined) return ''
  const begun = first.charAt(0).toUpperCase() + first.slice(1)
  return rest.length === 0 ? begun : `${begun}: ${rest.join(', ')}`
}

/** The labels with the highest scores; no two of them share a term. */
function best(labels: SubjectTitleLabel[]): readonly SubjectTitleLabel[] {
  labels.sort((a, b) => b.score - a.score || (a.text < b.text ? -1 : 1))
  const minScore = MIN_SCORE_SHARE * (labels[0]?.score ?? 0)
  const chosen: SubjectTitleLabel[] = []
  const used = new Set<string>()
  for (const label of labels) {
    if (chosen.length === LABELS || label.score < minScore) break
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
    if (share < MIN_NAME_SHARE || weights.size === 0) return []
    return [{ text: name, score: share * Math.max(...weights.values()), terms: [...weights.keys()] }]
  })
}

/** Each word in its most frequent form; of equally frequent ones, the first in alphabetical order. */
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
  return [...found].flatMap(([term, { weight, headlines: containing, forms }]) => {
    const share = containing / headlines.length
    if (share < MIN_WORD_SHARE || containing < MIN_HEADLINES) return []
    const [[text] = [term]] = [...forms].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    return [{ text, score: WORD_WEIGHT * share * weight, terms: [term] }]
  })
}
