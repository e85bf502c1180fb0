import { country, counted, decimal, languageName } from '../words/format.ts'
import type { ShownConditions } from './answers.ts'

/** The conditions of a monitor as one plain sentence. */
export function conditionsSentence(conditions: ShownConditions): string {
  const ofStory = storyParts(conditions)
  const ofArticle = articleParts(conditions)
  if (ofStory.length + ofArticle.length === 0) return 'No conditions.'
  const story = ofStory.length === 0 ? '' : ` that ${joined(ofStory)}`
  const article = ofArticle.length === 0 ? '' : ` with an article that ${joined(ofArticle)}`
  return `Stories${story}${story !== '' && article !== '' ? ',' : ''}${article}.`
}

/** These hold together for one article of the story. */
function articleParts(conditions: ShownConditions): readonly string[] {
  const { query, entity_names, entity_ids, places, categories, languages, sources } = conditions
  return [
    ...queryParts(query),
    ...part('names', [...entity_names, ...entity_ids]),
    ...part('names a place in', places.map(country)),
    ...part('is about', categories),
    ...part('is in', languages.map(languageOf)),
    ...part('comes from', sources),
  ]
}

function storyParts(conditions: ShownConditions): readonly string[] {
  const { lifecycle_states, min_origins, min_velocity } = conditions
  return [
    ...part('are', lifecycle_states),
    ...(min_origins === null ? [] : [`have at least ${counted(min_origins, 'independent source')}`]),
    ...(min_velocity === null ? [] : [`have at least ${decimal(min_velocity)} times the usual number of articles`]),
    ...sentimentPart(conditions),
  ]
}

function sentimentPart({ min_sentiment: min, max_sentiment: max }: ShownConditions): readonly string[] {
  if (min === null && max === null) return []
  if (min === null) return [`have a sentiment of at most ${decimal(max ?? 0)}`]
  if (max === null) return [`have a sentiment of at least ${decimal(min)}`]
  return [`have a sentiment from ${decimal(min)} to ${decimal(max)}`]
}

/** A word or a quoted phrase, perhaps after `-`. */
const TERM = /-?"[^"]*"|[^\s"]+/gu

function queryParts(query: string): readonly string[] {
  const terms = query.match(TERM) ?? []
  const isExcluded = (term: string): boolean => term.startsWith('-')
  return [
    ...part('contains', terms.filter((term) => !isExcluded(term)).map(quoted), 'and'),
    ...part('does not contain', terms.filter(isExcluded).map(quoted)),
  ]
}

const quoted = (term: string): string => `“${term.replace(/^-/, '').replaceAll('"', '')}”`

const part = (verb: string, values: readonly string[], word: 'and' | 'or' = 'or'): readonly string[] =>
  values.length === 0 ? [] : [`${verb} ${listed(values, word)}`]

const MOST_VALUES = 5

/** `a`, `a or b`, `a, b or c`; the values after the fifth as a number. */
function listed(values: readonly string[], word: 'and' | 'or'): string {
  const more = values.length - MOST_VALUES
  const shown = more > 0 ? [...values.slice(0, MOST_VALUES), counted(more, 'other')] : values
  const [last = ''] = shown.slice(-1)
  return shown.length === 1 ? last : `${shown.slice(0, -1).join(', ')} ${word} ${last}`
}

/** Parts contain `or` and commas, so they are separated more strongly. */
const joined = (parts: readonly string[]): string =>
  parts.length < 3 ? parts.join(', and ') : `${parts.slice(0, -1).join('; ')}; and ${parts.at(-1) ?? ''}`

const languageOf = (code: string): string => (code === 'und' ? 'an unknown language' : languageName(code))
