import { groupedBy } from '../grouped-by.ts'
import { nameKey } from './name-key.ts'
import { personForm } from './person-form.ts'

/** An entity of a story with its counts over the story's articles. */
interface StoryEntity {
  readonly id: string
  readonly name: string
  readonly type: string
  readonly mention_count: number
  readonly article_count: number
}

/** Minimum ratio of mentions between a surname's most frequent bearer and the next. */
const DOMINANCE = 3

/** The item with at least `DOMINANCE` times the count of the next; `undefined` if there is none. */
export function dominant<Item>(items: readonly Item[], countOf: (item: Item) => number): Item | undefined {
  const [most, next] = [...items].sort((a, b) => countOf(b) - countOf(a))
  if (most === undefined || next === undefined) return most
  return countOf(most) >= DOMINANCE * countOf(next) ? most : undefined
}

/**
 * Merges a surname alone ("Sanders") into the person that another article of the story names in full, if that person is
 * the only bearer or the one mentioned far more often. Sorted as given: most articles first, then most mentions.
 * Mentions are added up; so are articles, up to the story's `articles`.
 */
export function withoutLoneSurnames<Entity extends StoryEntity>(
  entities: readonly Entity[],
  articles: number,
): readonly Entity[] {
  const persons = entities.filter(({ type }) => type === 'PERSON')
  const bearers = groupedBy(persons.filter(isFullName), ({ name }) => personForm(name).surname)
  const bearerOf = new Map<Entity, Entity>()
  for (const person of persons.filter((one) => !isFullName(one))) {
    const bearer = dominant(bearers.get(nameKey(person.name)) ?? [], ({ mention_count }) => mention_count)
    if (bearer !== undefined) bearerOf.set(person, bearer)
  }
  if (bearerOf.size === 0) return entities
  const gained = groupedBy(bearerOf.keys(), (one) => bearerOf.get(one)?.id ?? '')
  return entities
    .filter((one) => !bearerOf.has(one))
    .map((one) => withMentionsOf(one, gained.get(one.id) ?? [], articles))
    .sort(bestFirst)
}

const isFullName = ({ name }: StoryEntity): boolean => personForm(name).full

function withMentionsOf<Entity extends StoryEntity>(one: Entity, gained: readonly Entity[], articles: number): Entity {
  if (gained.length === 0) return one
  const sum = (countOf: (entity: Entity) => number): number =>
    [one, ...gained].reduce((all, each) => all + countOf(each), 0)
  return {
    ...one,
    mention_count: sum(({ mention_count }) => mention_count),
    article_count: Math.min(
      articles,
      sum(({ article_count }) => article_count),
    ),
  }
}

const bestFirst = (a: StoryEntity, b: StoryEntity): number =>
  b.article_count - a.article_count || b.mention_count - a.mention_count || (a.id < b.id ? -1 : 1)
