import { nameIndex, type Named } from '../../language/names/name-index.ts'
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
        if (answer === null) novel.push(thing)
        else join(told, answer, thing)
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

/** Things that are variants of one another are one, by the fullest of their names; who may be two is himself. */
function together(things: readonly Spoken[]): readonly { readonly name: string; readonly thing: Spoken }[] {
  const index = nameIndex()
  const fullestFirst = [...things].sort(
    (a, b) => wordsOf(b) - wordsOf(a) || b.posts.length - a.posts.length || (a.name < b.name ? -1 : 1),
  )
  return fullestFirst.map((thing) => {
    const [one, another] = index.find(thing).filter(({ type }) => type === thing.type)
    if (one !== undefined && another === undefined) return { name: one.name, thing }
    index.add(thing)
    return { name: thing.name, thing }
  })
}

const wordsOf = ({ name }: Named): number => name.split(' ').length

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
