import { isNoName } from '../../language/names/common-words.ts'
import { coreOf, type TypedName, written } from '../../language/names/written-form.ts'
import { nameIndex } from '../../language/names/name-index.ts'
import { authorOf, bestFirst } from './scores.ts'
import type { PostEntity, EnrichedMemberRecord, RememberedPost } from './changelog.ts'

export interface TalliedNames {
  readonly editorial: readonly string[]
  /** Most named first. An entity that articles name appears under the articles' name. */
  readonly public: readonly string[]
  readonly novel: readonly string[]
  /** Novel entity to links to the posts that name it. */
  readonly evidence: Readonly<Record<string, readonly string[]>>
}

/** Maximum names per record; the most named are kept. */
const MOST_NAMES = 200
/** Maximum links per entity and per record, since a record must fit into the log. */
const MOST_LINKS = 20
const ALL_LINKS = 300

interface PublicName extends TypedName {
  readonly posts: RememberedPost[]
  /** The best posts with a link: at most `MOST_LINKS`. */
  readonly best: RememberedPost[]
  readonly authors: Set<string>
  /** The name that articles use for it, as of `edition`. */
  editorialName: string | null
  edition: number
}

/** Collects articles and posts one by one, and returns the names so far. */
export function namesTally() {
  const members: EnrichedMemberRecord[] = []
  const publicNames = new Map<string, PublicName>()
  /**
   * Names that no article uses, with variants merged. `null` if it must be computed again because posts or articles
   * were added.
   */
  let novel: ReturnType<typeof together> | null = null
  let edition = 0
  return {
    addArticle: (member: EnrichedMemberRecord) => void members.push(member),
    addPost(post: RememberedPost): void {
      for (const named of post.entities) {
        const thing = publicNameOf(publicNames, named)
        thing.posts.push(post)
        thing.authors.add(authorOf(post))
        addBest(thing.best, post)
        if (thing.editorialName === null) novel = null
      }
    },
    names(): TalliedNames {
      const editorial = editorialOf(members)
      if (edition !== editorial.edition) novel = null
      edition = editorial.edition
      const support = new Map<string, NameSupport>()
      const unknown: PublicName[] = []
      for (const thing of publicNames.values()) {
        const editorialName = editorialNameOf(thing, editorial)
        if (editorialName !== null) join(support, editorialName, thing)
        else if (novel === null && !isNoName(thing)) unknown.push(thing)
      }
      novel ??= together(mostNamed(unknown))
      for (const { name, thing } of novel) join(support, name, thing)
      return summed(editorial, support)
    },
  }
}

function publicNameOf(publicNames: Map<string, PublicName>, { entity_id, name, type }: PostEntity): PublicName {
  const known = publicNames.get(entity_id)
  if (known !== undefined) return known
  const thing = { name, type, posts: [], best: [], authors: new Set<string>(), editorialName: null, edition: 0 }
  publicNames.set(entity_id, thing)
  return thing
}

function editorialNameOf(thing: PublicName, editorial: Editorial): string | null {
  if (thing.edition !== editorial.edition) {
    thing.editorialName = editorial.nameOf(thing)
    thing.edition = editorial.edition
  }
  return thing.editorialName
}

/** Keeps the best posts first, one per URL. An entry that drops out never returns: the better ones stay before it. */
function addBest(best: RememberedPost[], post: RememberedPost): void {
  const same = best.findIndex(({ url }) => url === post.url)
  const known = best[same]
  if (post.url === null || (known !== undefined && bestFirst(known, post) <= 0)) return
  if (known !== undefined) best.splice(same, 1)
  const worse = best.findIndex((one) => bestFirst(post, one) < 0)
  best.splice(worse < 0 ? best.length : worse, 0, post)
  best.length = Math.min(best.length, MOST_LINKS)
}

type NameSupport = Pick<PublicName, 'authors' | 'best'>

function join(support: Map<string, NameSupport>, name: string, thing: NameSupport): void {
  const before = support.get(name)
  if (before === undefined) {
    support.set(name, thing)
    return
  }
  const best = [...before.best]
  for (const post of thing.best) addBest(best, post)
  support.set(name, { best, authors: new Set([...before.authors, ...thing.authors]) })
}

/** Novel names are compared with each other; of more than this many, only the most named. */
const MOST_COMPARED = 400

const mostNamed = (things: readonly PublicName[]): readonly PublicName[] =>
  things.length <= MOST_COMPARED
    ? things
    : [...things].sort((a, b) => b.posts.length - a.posts.length || (a.name < b.name ? -1 : 1)).slice(0, MOST_COMPARED)

/**
 * Merges variants of the same name, under the fullest name or the core without generic words ("#CanadaShooting" is
 * Canada). An ambiguous name stays separate.
 */
function together(things: readonly PublicName[]): readonly { readonly name: string; readonly thing: PublicName }[] {
  const index = nameIndex()
  const postCounts = new Map<TypedName, number>()
  const ranked = things.map((thing) => ({ thing, ranked: ranks(thing) })).sort(inOrder)
  return ranked.map(({ thing }) => {
    const named = mostLikely(index.find(thing), postCounts)
    if (named !== null) return { name: named.name, thing }
    index.add(thing)
    postCounts.set(thing, thing.posts.length)
    return { name: thing.name, thing }
  })
}

/**
 * Among several people that a name may refer to, one is chosen if it is named at least this many times as often as any
 * other.
 */
const FAR_MORE = 5

function mostLikely(found: readonly TypedName[], postCounts: ReadonlyMap<TypedName, number>): TypedName | null {
  const posts = (one: TypedName): number => postCounts.get(one) ?? 0
  const [most, next] = [...found].sort((a, b) => posts(b) - posts(a))
  return most === undefined || (next !== undefined && posts(most) < FAR_MORE * posts(next)) ? null : most
}

/** Names before their variants: without generic words, most words, no hashtag, no code, most posts. */
function inOrder(a: RankedThing, b: RankedThing): number {
  for (let i = 0; i < a.ranked.length; i++) {
    const differs = (b.ranked[i] ?? 0) - (a.ranked[i] ?? 0)
    if (differs !== 0) return differs
  }
  return a.thing.name < b.thing.name ? -1 : 1
}

interface RankedThing {
  readonly thing: PublicName
  readonly ranked: readonly number[]
}

function ranks(thing: PublicName): readonly number[] {
  const words = written(thing.name).words.filter((word) => word.length > 1)
  const isCode = thing.name.length < 4
  const isTag = words.length > 1 && !/[\s-]/u.test(thing.name)
  return [coreOf(thing) === null ? 1 : 0, words.length, isTag ? 0 : 1, isCode ? 0 : 1, thing.posts.length]
}

function summed({ names, sorted }: Editorial, support: ReadonlyMap<string, NameSupport>): TalliedNames {
  const most = mostNamedByAuthors(support)
  const novel = most.filter(([name]) => !names.has(name))
  const links = Math.min(MOST_LINKS, Math.max(1, Math.floor(ALL_LINKS / Math.max(novel.length, 1))))
  return {
    editorial: sorted,
    public: most.map(([name]) => name),
    novel: novel.map(([name]) => name),
    evidence: Object.fromEntries(
      novel.map(([name, { best }]) => [name, best.slice(0, links).flatMap(({ url }) => url ?? [])]),
    ),
  }
}

/** Names by number of authors. Sorts only as many as are emitted, since most have one or two authors. */
function mostNamedByAuthors(support: ReadonlyMap<string, NameSupport>): readonly (readonly [string, NameSupport])[] {
  const byAuthors: (readonly [string, NameSupport])[][] = []
  for (const one of support) (byAuthors[one[1].authors.size] ??= []).push(one)
  const most: (readonly [string, NameSupport])[] = []
  for (let authors = byAuthors.length - 1; authors > 0 && most.length < MOST_NAMES; authors--) {
    most.push(...(byAuthors[authors] ?? []).sort(([a], [b]) => (a < b ? -1 : 1)))
  }
  return most.slice(0, MOST_NAMES)
}

/** The names used by a story's articles. */
interface Editorial {
  /** Changes when the articles' names change. */
  readonly edition: number
  readonly names: ReadonlySet<string>
  /** In alphabetical order. */
  readonly sorted: readonly string[]
  /** The name that articles use for an entity; `null` if none names it. */
  nameOf(thing: TypedName): string | null
}

interface Side {
  readonly members: readonly EnrichedMemberRecord[]
  readonly editorial: Editorial
}

/**
 * Size of the cache of editorial names by story. Building the name index is expensive, and a record is emitted
 * repeatedly.
 */
const MOST = 256
const kept = new Map<EnrichedMemberRecord, Side>()
let editions = 0

/** The names of these articles, in order of event time. Cached while the articles are the same. */
function editorialOf(members: readonly EnrichedMemberRecord[]): Editorial {
  const [first] = members
  if (first === undefined) return editorial([])
  const known = kept.get(first)
  const same = known?.members.length === members.length && known.members.every((one, i) => one === members[i])
  const side = known !== undefined && same ? known : { members: [...members], editorial: editorial(members) }
  kept.delete(first) // moves the entry to the end (LRU order)
  kept.set(first, side)
  for (const oldest of kept.keys()) {
    if (kept.size <= MOST) break
    kept.delete(oldest)
  }
  return side.editorial
}

function editorial(members: readonly EnrichedMemberRecord[]): Editorial {
  const index = nameIndex()
  const names = new Set<string>()
  const seen = new Set<string>()
  for (const { entity_id, name, type } of members.flatMap(({ entities }) => entities)) {
    if (seen.has(entity_id)) continue
    seen.add(entity_id)
    names.add(name)
    index.add({ name, type })
  }
  const answers = new Map<string, string | null>()
  return {
    edition: ++editions,
    names,
    sorted: [...names].sort(),
    nameOf(thing) {
      const key = `${thing.type} ${thing.name}`
      const known = answers.get(key)
      if (known !== undefined) return known
      const found = index.find(thing)[0]?.name ?? null
      answers.set(key, found)
      return found
    },
  }
}
