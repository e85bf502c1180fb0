import type { EntityType } from '../../src/events/articles.ts'
import type { StoryLinked } from '../../src/events/graph.ts'
import { NO_MEMBER, type ArticleClustered, type StoryChange } from '../../src/events/ledger.ts'
import { f32, type Vector } from '../../src/events/vector.ts'
import { addTo, quantised } from '../../src/domain/graph/centre.ts'
import { fullGraph, type GraphFacts } from '../../src/domain/graph/full.ts'
import type { GraphRules } from '../../src/domain/graph/rules.ts'
import {
  significant,
  type Founding,
  type Graph,
  type GraphStory,
  type LedgerLink,
  type Link,
} from '../../src/domain/graph/story.ts'
import { countWords, titleWords } from '../../src/domain/graph/title-words.ts'
import type { Entry } from '../../src/state/entry.ts'
import type { Input } from '../../src/runtime/shapes.ts'
import type { LinkedState } from '../../src/stages/linked/memory.ts'
import type { LinkedRecord } from '../../src/stages/linked/changelog.ts'
import { linked } from '../../src/stages/linked/stage.ts'
import { A_DAY } from './articles.ts'
import { aStoryArticle, aVector } from './discourse.ts'

const HOUR_MS = 3_600_000

/** Milliseconds since 1970, so many hours after noon of `A_DAY`. */
export const at = (hours: number): number => A_DAY + hours * HOUR_MS

const DAY_MS = 24 * HOUR_MS

/** Numbers of the tests' own: what is measured on news changes those of the product. */
export const RULES: GraphRules = {
  weights: { PERSON: 2, ORG: 2, EVENT: 2, GPE: 1, LOC: 1, DATE: 0, MONEY: 0 },
  significant: { oneIn: 3, most: 16 },
  shared: { least: 3, confidence: 0.5 },
  candidate: { least: 3, confidence: 0.5 },
  chapter: {
    ...{ near: 1, words: 0.5, silence: 0.1, bias: 2, least: 1 },
    mostSilenceMs: 30 * DAY_MS,
    mean: new Float64Array(0),
  },
  linkage: { least: 0.5, floor: -2, mostApartMs: 60 * DAY_MS, mostStories: 64 },
  merged: { confidence: 0.6, similarity: 0.85 },
  thread: { leastStories: 3, shown: 0.3, activeMs: 2 * DAY_MS, concludedMs: 7 * DAY_MS },
}

const TYPES: Readonly<Record<string, EntityType>> = { p: 'PERSON', o: 'ORG', g: 'GPE', l: 'LOC', e: 'EVENT', d: 'DATE' }

const vectorsMade = new Map<string, Vector>()

function vectorOf(subject: string): Vector {
  const vector = vectorsMade.get(subject) ?? f32('test:lead', aVector(subject))
  vectorsMade.set(subject, vector)
  return vector
}

interface About {
  /** Entities: the first letter of a name is that of its type (`p1`, `o2`, `g3`, `l4`, `e5`, `d6`). */
  readonly names: string
  /** Of the event's time, hours after noon. */
  readonly hours?: number
  /** Texts of one subject have one vector. */
  readonly subject?: string
  readonly namespace?: string
}

/** An article of a story that names so many entities. */
export const anArticle = (
  story: string,
  id: string,
  { names, hours = 0, subject = 'all', namespace = 'shared' }: About,
): ArticleClustered => ({
  ...aStoryArticle({ namespace, cluster_id: `sto_${story}`, article_id: `art_${id}`, occurred_at: at(hours) }),
  event_id: `evt_${namespace}_${story}_${id}_${hours}_${names}`,
  action: 'joined',
  member: {
    ...aStoryArticle().member,
    entities: names
      .split(' ')
      .filter(Boolean)
      .map((name) => ({
        entity_id: `ent_${name}`,
        name,
        type: TYPES[name.charAt(0)] ?? 'PERSON',
        mention_count: 1,
        country: null,
        sentiment_score: null,
      })),
    vector: vectorOf(subject),
  },
})

type LinkedAction = 'merged' | 'split' | 'moved' | 'rebuilt'

/** The articles go from one story to another by a rebuild. */
export const aChange = (
  action: LinkedAction,
  [from, to]: readonly [string, string],
  articles: readonly string[],
  hours = 0,
): ArticleClustered => changing({ action, from, to, articles, hours, correction: null })

/** The same by a curator's word. */
export const aCorrection = (
  action: 'move' | 'merge' | 'split' | 'undo' | 'keep_apart',
  [from, to]: readonly [string, string],
  articles: readonly string[],
  { hours = 0, refused = null }: { readonly hours?: number; readonly refused?: string | null } = {},
): ArticleClustered => {
  const correction = { correction_id: 'cor_a', action, refused, reason: null, key_id: 'key_a' }
  return changing({ action: 'corrected', from, to, articles, hours, correction })
}

interface LinkedChange extends Pick<StoryChange, 'correction'> {
  readonly action: LinkedAction | 'corrected'
  readonly from: string
  readonly to: string
  readonly articles: readonly string[]
  readonly hours: number
}

const changing = ({ action, from, to, articles, hours, correction }: LinkedChange): ArticleClustered => ({
  ...aStoryArticle({ action, cluster_id: `sto_${to}`, article_id: '', content_hash: '', occurred_at: at(hours) }),
  event_id: `evt_${action}_${correction?.action ?? ''}_${from}_${to}_${articles.join('_')}_${hours}`,
  member: NO_MEMBER,
  change: {
    from_cluster_id: `sto_${from}`,
    article_ids: articles.map((id) => `art_${id}`),
    rebuild_day: null,
    rebuilt_from: null,
    subjects: [],
    correction,
  },
})

interface LinkedOptions {
  readonly budget?: number
  readonly rules?: GraphRules
}

/** A stage as it runs, one event at a time; `restart` rebuilds it from its changelog. */
export function aLinker({ budget = 1_000, rules = RULES }: LinkedOptions = {}) {
  const stage = linked({ budget }, rules)
  let state: LinkedState = stage.memory.empty()
  let offset = 0
  const changelog: Entry<LinkedRecord>[] = []
  return {
    stage,
    changelog,
    state: () => state,
    /** What it tells, or why it tells nothing. */
    hear: (event: ArticleClustered): readonly StoryLinked[] | string => {
      const place = { topic: 'articles.clustered', partition: 0, offset: offset++ }
      const input: Input<ArticleClustered> = { event, topic: place.topic, place, loggedAt: event.occurred_at }
      const decided = stage.decide(state, input)
      changelog.push(...decided.remember)
      for (const entry of decided.remember) state = stage.memory.evolve(state, entry)
      const outcome = decided.kind === 'deferred' ? decided.outcome(state) : decided
      return outcome.kind === 'emit' ? outcome.events : outcome.reason
    },
    /** Remembers only what a compacted changelog holds, in whatever order. */
    restart: (inOrder: (keys: readonly string[]) => readonly string[] = (keys) => keys): void => {
      const newest = new Map(changelog.map((entry) => [entry.key, entry]))
      state = stage.memory.empty()
      for (const key of inOrder([...newest.keys()]))
        state = stage.memory.evolve(state, newest.get(key) ?? { key, value: null })
    },
  }
}

/** Runs events through the stage as the runtime does. */
export function live(events: readonly ArticleClustered[], given: LinkedOptions = {}) {
  const linker = aLinker(given)
  const heard = events.map((event) => linker.hear(event))
  return {
    ...linker,
    /** By event. */
    heard,
    emitted: heard.flatMap((one) => (typeof one === 'string' ? [] : one)),
    reasons: heard.flatMap((one) => (typeof one === 'string' ? [one] : [])),
  }
}

/** What all that was told comes to: the newest word on each relationship and on each story's thread. */
export function folded(events: readonly StoryLinked[]): Graph {
  const links = new Map<string, Link>()
  const threads = new Map<string, string>()
  for (const { kind, action, source, target, type, directed, confidence, shared_entities, thread_id } of events) {
    if (kind === 'thread') {
      if (action === 'removed') threads.delete(source)
      else threads.set(source, thread_id ?? '')
      continue
    }
    if (target === null || type === 'thread' || type === 'build') throw new Error('no relationship')
    const key = `${source}\n${target}\n${type}`
    if (action === 'removed') links.delete(key)
    else links.set(key, { source, target, type, directed, confidence, shared_entities })
  }
  return { links: sorted(links), threads: new Map([...threads].sort()) }
}

const sorted = (links: ReadonlyMap<string, Link>): Link[] =>
  [...links].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, link]) => link)

/** The graph of what a ledger says, drawn from the ledger alone: what everything else is held against. */
export function graphOf(events: readonly ArticleClustered[], rules: GraphRules = RULES): Graph {
  const graph = fullGraph(factsOf(events, rules), rules)
  const links = new Map(graph.links.map((link) => [`${link.source}\n${link.target}\n${link.type}`, link]))
  return { links: sorted(links), threads: new Map([...graph.threads].sort()) }
}

interface LinkedWay {
  readonly opened: number
  splitFrom: string | null
  mergedInto: string | null
}

/** Reads a ledger from its first line to its last, as the specification of the graph words it. */
function factsOf(events: readonly ArticleClustered[], rules: GraphRules): GraphFacts {
  const articles = new Map<string, ArticleClustered>()
  const storyOf = new Map<string, string>()
  const ways = new Map<string, LinkedWay>()
  for (const [offset, event] of events.entries()) {
    const { change, cluster_id: to } = event
    const done = change?.correction?.action ?? event.action
    const moving = change === null ? [event.article_id] : change.article_ids
    if (event.action === 'rebuilt' || change?.correction?.refused != null || moving.length === 0) continue
    if (change === null) articles.set(event.article_id, event)
    for (const id of moving) storyOf.set(id, to)
    const way = ways.get(to) ?? { opened: offset, splitFrom: null, mergedInto: null }
    ways.set(to, way)
    if (done === 'split') way.splitFrom = change?.from_cluster_id ?? null
    const left = ways.get(change?.from_cluster_id ?? '')
    if (left !== undefined) left.mergedInto = done === 'merge' || done === 'merged' ? to : null
  }

  const members = new Map<string, ArticleClustered[]>()
  for (const [id, story] of storyOf) {
    const article = articles.get(id)
    if (article !== undefined) members.set(story, [...(members.get(story) ?? []), article])
  }
  const bearing = (id: string): string[] => [
    id,
    ...[...ways].flatMap(([gone, { mergedInto }]) => (mergedInto === id && !members.has(gone) ? bearing(gone) : [])),
  ]
  const foundedOf = (id: string): Founding =>
    bearing(id)
      .map((name) => ({ order: ways.get(name)?.opened ?? -1, cluster_id: name }))
      .reduce((first, one) => (one.order < first.order ? one : first))
  return {
    namespace: 'shared',
    stories: [...members].map(([id, own]) => storyOfArticles(id, own, { founded: foundedOf(id), rules })),
    ledger: [...ways].flatMap(([source, { splitFrom, mergedInto }]): LedgerLink[] => {
      if (!members.has(source)) return mergedInto === null ? [] : [{ source, target: mergedInto, type: 'merged_with' }]
      return splitFrom !== null && members.has(splitFrom) ? [{ source, target: splitFrom, type: 'split_from' }] : []
    }),
  }
}

function storyOfArticles(
  cluster_id: string,
  articles: readonly ArticleClustered[],
  { founded, rules }: { readonly founded: Founding; readonly rules: GraphRules },
): GraphStory {
  const entities = articles.flatMap(({ member }) => member.entities)
  const counts = new Map(
    entities.map(({ entity_id, type }) => {
      const same = entities.filter((one) => one.entity_id === entity_id)
      return [entity_id, { entity_id, type, articles: same.length, mentions: same.length }]
    }),
  )
  const centre = new Int32Array(384)
  for (const { member } of articles) addTo(centre, stepsOf(member.vector))
  const times = articles.map(({ occurred_at }) => occurred_at)
  return {
    cluster_id,
    entities: significant(counts.values(), articles.length, rules),
    first_at: Math.min(...times),
    last_at: Math.max(...times),
    founded,
    centre,
    words: titleWords(countWords(articles.map(({ member }) => member.title ?? '')), articles.length),
  }
}

const stepsMade = new Map<Vector, Int8Array>()

function stepsOf(vector: Vector): Int8Array {
  const steps = stepsMade.get(vector) ?? quantised(new Float32Array(Uint8Array.from(vector.data).buffer))
  stepsMade.set(vector, steps)
  return steps
}

/** What a word is about, briefly: `added shared_entities a b`, `removed thread a`. */
export const words = (events: readonly StoryLinked[] | string): readonly string[] =>
  typeof events === 'string'
    ? [events]
    : events.map(({ action, type, source, target }) =>
        [action, type, source.slice(4), ...(target === null ? [] : [target.slice(4)])].join(' '),
      )

/** What a state says, whatever the order its parts were put in. */
export const contentOf = (state: LinkedState): unknown => ({
  size: state.size,
  namespaces: [...state.namespaces].map(([name, { articles, stories, living }]) => ({
    name,
    articles: [...articles.values()].sort((a, b) => (a.article_id < b.article_id ? -1 : 1)),
    living: [...living.keys()].sort(),
    stories: [...stories.values()]
      .map(({ clusterId, known, ...story }) => ({ clusterId, known, articles: [...story.articles.keys()].sort() }))
      .sort((a, b) => (a.clusterId < b.clusterId ? -1 : 1)),
  })),
})
