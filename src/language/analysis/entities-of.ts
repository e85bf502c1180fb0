import type { Entity, EntityType, Mention, Sentence } from '../../events/articles.ts'
import { entityId } from '../../events/ids.ts'
import { canonicalNames } from '../names/canonical-names.ts'
import { fixedType } from '../names/aliases.ts'
import type { Places } from '../places/places.ts'
import type { EntitySpan } from '../recogniser/recognise.ts'

interface Found {
  readonly sentences: readonly Sentence[]
  readonly found: readonly EntitySpan[]
  readonly places: Places
}

/** One entity a (type, canonical name), its mentions in the order of the text; entities in the order of their first. */
export function entitiesOf(text: string, { sentences, found, places }: Found): Entity[] {
  const mentions = found.map((span) => withSurface(text, span))
  const names = canonicalNames(mentions, places)
  const entities = new Map<string, { type: EntityType; name: string; mentions: Mention[] }>()
  const sentenceAt = sentenceFinder(sentences)
  mentions.forEach(({ type, start, end, surface }, i) => {
    const sentence = sentenceAt(start)
    const name = names[i] ?? surface
    const id = entityId(type, name)
    const entity = entities.get(id) ?? { type, name, mentions: [] }
    entity.mentions.push({ surface, start, end, sentence, sentiment_score: sentences[sentence]?.sentiment_score ?? 0 })
    entities.set(id, entity)
  })
  return [...entities].map(([entity_id, entity]) => ({ entity_id, ...UNKNOWN, ...entity }))
}

const UNKNOWN = { wikidata_id: null, place: null, time: null, money: null }

function withSurface(text: string, { type, start, end }: EntitySpan): EntitySpan & { readonly surface: string } {
  const surface = text.slice(start, end)
  return { type: fixedType(surface) ?? type, start, end, surface }
}

/** Index of the sentence that holds a character; to be asked in ascending order. */
function sentenceFinder(sentences: readonly Sentence[]): (start: number) => number {
  let at = 0
  return (start) => {
    while (at < sentences.length - 1 && start >= (sentences[at]?.end ?? 0)) at++
    return at
  }
}
