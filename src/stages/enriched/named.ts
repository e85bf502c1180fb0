import { isNoName } from '../../language/names/common-words.ts'
import { coreOf } from '../../language/names/generic-words.ts'
import { nameIndex, type Named } from '../../language/names/name-index.ts'
import { written } from '../../language/names/written.ts'
import { authorOf } from './controversy.ts'
import { bestFirst } from './counter-narrative.ts'
import type { RememberedMember, RememberedPost } from './remembered.ts'

export interface Names {
  readonly editorial: readonly string[]
  /** The most named first; what newspapers name is called as they call it. */
  readonly public: readonly string[]
  readonly novel: readonly string[]
  /** Novel entity to the posts that name it. */
  readonly evidence: Readonly<Record<string, readonly string[]>>
}

/** Articles and posts told one after the other, and what they name by then. */
export interface NamesTally {
  addArticle(member: RememberedMember): void
  addPost(post: RememberedPost): void
  names(): Names
}

/** Of a story that everybody speaks of: the most named. */
const MOST_NAMES = 200
/** Links of one entity, and of all together: a record has to fit into the log. */
const MOST_LINKS = 20
const ALL_LINKS = 300

interface Spoken extends Named {
  readonly posts: RememberedPost[]
  readonly authors: Set<string>
}

export function namesTally(): NamesTally {
  const editorial = new Set<string>()
  const known = nameIndex()
  const seen = new Set<string>()
  const spoken = new Map<string, Spoken>()
  /** Entity to the name newspapers have for it; forgotten when they name something new. */
  const answers = new Map<string, string | null>()
  const answerOf = (id: string, thing: Spoken): string | null => {
    const answer = answers.get(id)
    if (answer !== undefined) return answer
    const found = known.find(thing)[0]?.name ?? null
    answers.set(id, found)
    return found
  }
  return {
    addArticle({ entities }) {
      for (const { entity_id, name, type } of entities) {
        if (seen.has(entity_id)) continue
        seen.add(entity_id)
        editorial.add(name)
        known.add({ name, type })
        answers.clear()
      }
    },
    addPost(post) {
      for (const { entity_id, name, type } of post.entities) {
        const before = spoken.get(entity_id)
        if (before === undefined)
          spoken.set(entity_id, { name, type, posts: [post], authors: new Set([authorOf(post)]) })
        else {
          before.posts.push(post)
          before.authors.add(authorOf(post))
        }
      }
    },
    names() {
      const told = new Map<string, Spoken>()
      const novel: Spoken[] = []
      for (const [id, thing] of spoken) {
        const answer = answerOf(id, thing)
        if (answer !== null) join(told, answer, thing)
        else if (!isNoName(thing)) novel.push(thing)
      }
      for (const { name, thing } of together(mostNamed(novel))) join(told, name, thing)
      return summed(editorial, [...told])
    },
  }
}

function join(told: Map<string, Spoken>, name: string, thing: Spoken): void {
  const before = told.get(name)
  const posts = before === undefined ? thing.posts : [...before.posts, ...thing.posts]
  const authors = before === undefined ? thing.authors : new Set([...before.authors, ...thing.authors])
  told.set(name, { name, type: thing.type, posts, authors })
}

/** Names nobody else uses are not held against each other without end: of more than so many the most named. */
const MOST_COMPARED = 400

const mostNamed = (things: readonly Spoken[]): readonly Spoken[] =>
  things.length <= MOST_COMPARED
    ? things
    : [...things].sort((a, b) => b.posts.length - a.posts.length || (a.name < b.name ? -1 : 1)).slice(0, MOST_COMPARED)

/**
 * Things that are variants of one another are one, by the fullest of their names, or by what is left without generic
 * words ("#CanadaShooting" is Canada); who may be two is himself.
 */
function together(things: readonly Spoken[]): readonly { readonly name: string; readonly thing: Spoken }[] {
  const index = nameIndex()
  const said = new Map<Named, number>()
  const ranked = things.map((thing) => ({ thing, ranked: ranks(thing) })).sort(inOrder)
  return ranked.map(({ thing }) => {
    const named = mostLikely(index.find(thing), said)
    if (named !== null) return { name: named.name, thing }
    index.add(thing)
    said.set(thing, thing.posts.length)
    return { name: thing.name, thing }
  })
}

/** Of several whom a name may mean the one who is named so many times more often than any other. */
const FAR_MORE = 5

function mostLikely(found: readonly Named[], said: ReadonlyMap<Named, number>): Named | null {
  const posts = (one: Named): number => said.get(one) ?? 0
  const [most, next] = [...found].sort((a, b) => posts(b) - posts(a))
  return most === undefined || (next !== undefined && posts(most) < FAR_MORE * posts(next)) ? null : most
}

/** Names that others are variants of before those: bare, full, no tag, no code, often said. */
function inOrder(a: Ranked, b: Ranked): number {
  for (let i = 0; i < a.ranked.length; i++) {
    const differs = (b.ranked[i] ?? 0) - (a.ranked[i] ?? 0)
    if (differs !== 0) return differs
  }
  return a.thing.name < b.thing.name ? -1 : 1
}

interface Ranked {
  readonly thing: Spoken
  readonly ranked: readonly number[]
}

function ranks(thing: Spoken): readonly number[] {
  const words = written(thing.name).words.filter((word) => word.length > 1)
  const isCode = thing.name.length < 4
  const isTag = words.length > 1 && !/[\s-]/u.test(thing.name)
  return [coreOf(thing) === null ? 1 : 0, words.length, isTag ? 0 : 1, isCode ? 0 : 1, thing.posts.length]
}

function summed(editorial: ReadonlySet<string>, told: readonly (readonly [string, Spoken])[]): Names {
  const most = [...told]
    .sort(([a, one], [b, other]) => other.authors.size - one.authors.size || (a < b ? -1 : 1))
    .slice(0, MOST_NAMES)
  const novel = most.filter(([name]) => !editorial.has(name))
  const links = Math.min(MOST_LINKS, Math.max(1, Math.floor(ALL_LINKS / Math.max(novel.length, 1))))
  return {
    editorial: [...editorial].sort(),
    public: most.map(([name]) => name),
    novel: novel.map(([name]) => name),
    evidence: Object.fromEntries(novel.map(([name, { posts }]) => [name, linksOf(posts, links)])),
  }
}

const linksOf = (posts: readonly RememberedPost[], most: number): readonly string[] =>
  [...new Set([...posts].sort(bestFirst).flatMap(({ url }) => url ?? []))].slice(0, most)
