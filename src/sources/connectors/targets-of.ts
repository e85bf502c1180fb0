import { HOUR_MS } from '../../domain/days.ts'
import type { TargetFacts } from '../../views/echo/targets.ts'
import type { Priority, StoryTarget } from './platform.ts'
import { spacedWords } from './words.ts'

const ACTIVE_MS = 72 * HOUR_MS
const FRESH_MS = 24 * HOUR_MS
const MIN_ARTICLES = 3
const MIN_ORIGINS = 2
const HIGH_ORIGINS = 5
const MEDIUM_ORIGINS = 3
const TERMS = 4
const NAMES = 2
const MIN_LETTERS = 3
/** Longer strings are not words, and a query may have at most 512 characters. */
const MAX_LETTERS = 60

/** How distinctive a word is (0 for not at all), and whether a name is a country. */
export interface WordKnowledge {
  readonly weightOf: (word: string) => number
  readonly isCountry: (name: string) => boolean
}

export interface Choosing {
  readonly namespace: string
  /** Milliseconds since 1970. */
  readonly now: number
  readonly limit: number
  readonly words: WordKnowledge
}

/** Selects the stories to search for, by priority, with their terms; docs/connectors.md describes the rules. */
export const targetsOf = (facts: readonly TargetFacts[], { namespace, now, limit, words }: Choosing) =>
  facts
    .filter((story) => isActive(story, now))
    .map((story): StoryTarget => ({
      ...story,
      namespace,
      priority: priorityOf(story, now),
      terms: termsOf(story, words),
    }))
    .filter(({ terms }) => terms.length > 0)
    .sort(byPriority)
    .slice(0, limit)

const isActive = ({ last_published, article_count, origins }: TargetFacts, now: number): boolean =>
  now - last_published < ACTIVE_MS && article_count >= MIN_ARTICLES && origins >= MIN_ORIGINS

function priorityOf({ origins, last_published }: TargetFacts, now: number): Priority {
  if (origins >= HIGH_ORIGINS && now - last_published < FRESH_MS) return 'high'
  return origins >= MEDIUM_ORIGINS ? 'medium' : 'low'
}

const RANK: Readonly<Record<Priority, number>> = { high: 0, medium: 1, low: 2 }

export const byPriority = (a: StoryTarget, b: StoryTarget): number =>
  RANK[a.priority] - RANK[b.priority] ||
  b.origins - a.origins ||
  b.last_published - a.last_published ||
  (a.cluster_id < b.cluster_id ? -1 : 1)

/** At most four terms: two names (countries last), then the most distinctive words of the title. */
function termsOf({ title, entities }: TargetFacts, knowledge: WordKnowledge): readonly string[] {
  const names = namesOf(entities, knowledge)
  return [...names, ...wordsOf(title, names, knowledge).slice(0, TERMS - names.length)]
}

function namesOf(entities: readonly string[], { isCountry }: WordKnowledge): readonly string[] {
  const usable = entities.filter((name) => spacedWords(name).length > MIN_LETTERS && name.length <= MAX_LETTERS)
  const ranked = [...usable.filter((name) => !isCountry(name)), ...usable.filter(isCountry)]
  const kept: string[] = []
  for (const name of ranked) if (kept.length < NAMES && !kept.some((other) => overlap(name, other))) kept.push(name)
  return kept
}

/** Whether one term contains the other: "Merkel" adds nothing to "Angela Merkel". */
const overlap = (a: string, b: string): boolean =>
  spacedWords(a).includes(spacedWords(b)) || spacedWords(b).includes(spacedWords(a))

function wordsOf(title: string, names: readonly string[], { weightOf }: WordKnowledge): readonly string[] {
  const named = spacedWords(names.join(' '))
  const words = new Set(spacedWords(title).split(' '))
  return [...words]
    .filter((word) => word.length >= MIN_LETTERS && word.length <= MAX_LETTERS && !named.includes(` ${word} `))
    .map((word) => ({ word, weight: weightOf(word) }))
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight) // stable: of equal weights, the earlier word comes first
    .map(({ word }) => word)
}
