import { isNamed } from '../../events/articles.ts'
import type { TagLexicon } from '../tokens/part-of-speech.ts'
import { clausesOf } from './parties.ts'
import { verbGroups } from './groups.ts'
import {
  type RelatingArticle,
  type SentenceRelation,
  type WordRelation,
  type MarkedSpan,
  type RelationWord,
  wordAt,
  wordsOf,
} from './words.ts'
import {
  relationsByBecause,
  relationsByCause,
  relationsByNouns,
  relationsByObject,
  relationsByVerb,
} from './word-relations.ts'

/** A sentence with more names is a list; only its first names are paired. */
const MOST_ENTITIES = 12
/** Longer sentences are tables or run-on text, in which subject and object cannot be found. */
const LONGEST_SENTENCE = 1_000
/** Absolute sentiment of a sentence, 0 to 1, from which it contradicts a relation asserted by a weak word. */
const CONTRADICTING_SENTIMENT = 0.3

/**
 * The relation of every pair of named entities in each sentence, as asserted by a verb or noun; `co_mention` if none is
 * asserted. Each pair has one relation per sentence, the first one found.
 */
export function relationsOf({ text, sentences, entities }: RelatingArticle, lexicon: TagLexicon): SentenceRelation[] {
  return [...mentionsBySentence(entities)].flatMap(([sentence, mentions]) => {
    const span = sentences[sentence]
    const ids = [...new Set(mentions.flatMap(({ kind, entity_id }) => (kind === 'entity' ? [entity_id] : [])))]
    if (span === undefined || ids.length < 2) return []

    const marked = mentions.map(({ kind, entity_id, start, end }) => ({
      ...{ kind, entity_id },
      start: start - span.start,
      end: end - span.start,
    }))
    const relations = relationsIn(text.slice(span.start, span.end), marked, lexicon)
    const { sentiment_score } = span
    return pairsOf(ids.slice(0, MOST_ENTITIES)).map(([one, other]) => {
      const found = relations.find((by) => links(by, one, other) && fits(by, sentiment_score)) ?? coMention(one, other)
      const { source_id, target_id, type, evidence } = found
      return { sentence, source_id, target_id, type, evidence, sentiment_score }
    })
  })
}

/** Mentions by the index of their sentence, in the order of the text; of overlapping ones, the first. */
function mentionsBySentence(entities: RelatingArticle['entities']): ReadonlyMap<number, MarkedSpan[]> {
  const all = entities.flatMap((entity) => {
    const kind = kindOf(entity)
    const { entity_id } = entity
    return entity.mentions.map(({ start, end, sentence }) => ({ start, end, sentence, kind, entity_id }))
  })
  const found = new Map<number, MarkedSpan[]>()
  for (const mention of all.sort((a, b) => a.start - b.start || b.end - a.end)) {
    const before = found.get(mention.sentence)
    if (before === undefined) found.set(mention.sentence, [mention])
    else if (mention.start >= (before.at(-1)?.end ?? 0)) before.push(mention)
  }
  return found
}

const kindOf = (entity: RelatingArticle['entities'][number]): MarkedSpan['kind'] =>
  isNamed(entity) ? 'entity' : entity.type === 'DATE' ? 'time' : 'sum'

interface AssertedRelation extends Pick<SentenceRelation, 'source_id' | 'target_id' | 'type' | 'evidence'> {
  readonly weak: boolean
}

function relationsIn(
  sentence: string,
  marked: readonly MarkedSpan[],
  lexicon: TagLexicon,
): readonly AssertedRelation[] {
  if (sentence.length > LONGEST_SENTENCE || sentence.trimEnd().endsWith('?')) return []
  const words = wordsOf(sentence, marked, lexicon)
  const byVerbs = clausesOf(words, verbGroups(words)).flatMap((clause) => [
    ...relationsByVerb(words, clause),
    ...relationsByObject(words, clause),
    ...relationsByCause(words, clause),
    ...relationsByBecause(words, clause),
  ])
  return [...byVerbs, ...relationsByNouns(words)]
    .sort((a, b) => a.by - b.by)
    .flatMap((relations) => partiesOf(words, relations))
}

function partiesOf(
  words: readonly RelationWord[],
  { source, target, type, by, weak }: WordRelation,
): AssertedRelation[] {
  const [source_id, target_id] = [wordAt(words, source).entity, wordAt(words, target).entity]
  if (source_id === null || target_id === null || source_id === target_id) return []
  return [{ source_id, target_id, type, evidence: wordAt(words, by).text, weak }]
}

const links = ({ source_id, target_id }: AssertedRelation, one: string, other: string): boolean =>
  (source_id === one && target_id === other) || (source_id === other && target_id === one)

const fits = ({ type, weak }: AssertedRelation, sentiment: number): boolean =>
  !weak || (type === 'adversarial' ? sentiment < CONTRADICTING_SENTIMENT : sentiment > -CONTRADICTING_SENTIMENT)

const coMention = (one: string, other: string): Omit<AssertedRelation, 'weak'> => ({
  ...(one < other ? { source_id: one, target_id: other } : { source_id: other, target_id: one }),
  type: 'co_mention',
  evidence: '',
})

const pairsOf = (ids: readonly string[]): (readonly [string, string])[] =>
  ids.flatMap((one, i) => ids.slice(i + 1).map((other) => [one, other] as const))
