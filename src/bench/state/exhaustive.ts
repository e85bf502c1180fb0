import { DAY_MS, dayOf } from '../../domain/days.ts'
import type { Codec } from '../../ports/log.ts'
import type { ClusteringModel, Weights } from '../../language/clustering/model.ts'
import { clusteredMemory } from '../../stages/clustered/changelog.ts'
import { MOST_WITH_KEY } from '../../stages/clustered/candidates.ts'
import { encoderOf, features, type Features } from '../../stages/clustered/features.ts'
import {
  blockOf,
  isForeign,
  leadCosine,
  SECTIONS,
  termsIn,
  titleCosine,
} from '../../stages/clustered/packed-features.ts'
import { link, linkScore, mayJoin } from '../../stages/clustered/pair.ts'
import { HASH_SHIFT } from '../../stages/clustered/terms.ts'
import { openValues, readChangelogFile } from './changelog-file.ts'
import type { SampledChoice } from './decide.ts'
import type { StateWorld } from './world.ts'

/** An article of a story, in the form in which the changelog stores it. */
interface StoredMember {
  readonly story: string
  readonly time: number
  readonly order: number
  readonly features: () => Features
}

/** The only place that knows what a record of the changelog looks like. `null`: not an article. */
async function storedMember(value: Buffer, codec: Codec): Promise<StoredMember | null> {
  const read = await codec.decode(clusteredMemory, value)
  if (read.kind === 'malformed') throw new Error(`the changelog holds a record that cannot be read: ${read.reason}`)
  const { event } = read
  if (event.rebuilt !== null) return null
  return {
    story: event.cluster_id,
    time: event.occurred_at,
    order: event.log_order,
    features: () => ({
      time: event.occurred_at,
      dated: event.dated,
      hasBody: event.has_body,
      encoder: encoderOf(event.lead_vector),
      ...blockOf(event.packed),
    }),
  }
}

/** Where the articles of each story are in the changelog file. */
type StoredStories = ReadonlyMap<string, readonly StoredPlace[]>

interface StoredPlace {
  readonly at: number
  readonly length: number
  readonly time: number
  readonly order: number
}

/** The stories after the last record of the file. */
export async function storedStories(path: string, codec: Codec): Promise<StoredStories> {
  const newest = new Map<string, StoredPlace & { readonly story: string }>()
  for await (const { key, value, at } of readChangelogFile(path)) {
    const member = value === null ? null : await storedMember(value, codec)
    if (value === null || member === null) newest.delete(key)
    else newest.set(key, { at, length: value.length, time: member.time, order: member.order, story: member.story })
  }
  const stories = new Map<string, StoredPlace[]>()
  for (const { story, ...place } of newest.values()) {
    const known = stories.get(story)
    if (known === undefined) stories.set(story, [place])
    else known.push(place)
  }
  return stories
}

/** The number of stories with an article within the window of a point in time. */
export const liveStories = (stories: StoredStories, time: number, windowDays: number): number =>
  [...stories.values()].filter((places) => places.some((place) => Math.abs(place.time - time) <= windowDays * DAY_MS))
    .length

export interface ExhaustiveOptions {
  readonly path: string
  readonly codec: Codec
  readonly world: StateWorld
  readonly model: ClusteringModel
  readonly onProgress: (stories: number) => void
}

interface ExhaustiveSample {
  readonly choice: SampledChoice
  readonly own: Features
  /** The best story so far; `null` while none is above the threshold. */
  best: BestStory | null
}

interface BestStory {
  readonly story: string
  readonly score: number
  readonly newest: number
}

/**
 * The share of samples for which the clusterer chose the same story as a comparison with every live story that shares a
 * key with it that is not common, by the same scores. Reads one story after the other from the changelog file and
 * compares it with all samples, which needs little memory. Reads them twice, since the first time counts the keys.
 */
export async function sameChoiceShare(
  stories: StoredStories,
  choices: readonly SampledChoice[],
  options: ExhaustiveOptions,
): Promise<number> {
  const { path, codec, world, model, onProgress } = options
  const samples = choices.flatMap((choice): ExhaustiveSample[] => {
    const own = choice.rule === 'link' ? features(world.article(choice.index), model) : null // a copy has no score
    return own === null ? [] : [{ choice, own, best: null }]
  })
  const values = openValues(path)
  const eachStory = async (work: (story: StoryMembers) => void): Promise<void> => {
    for (const [story, places] of stories) {
      const members: ComparedMember[] = []
      for (const { at, length, time, order } of places) {
        const member = await storedMember(values.value(at, length), codec)
        if (member !== null) members.push({ time, order, features: member.features() })
      }
      work({ story, members })
    }
  }
  const counts = keyCounts(samples, model.weights)
  await eachStory(counts.add)
  const comparable = comparableSamples(samples, counts.isCommon)
  let read = 0
  await eachStory((story) => {
    if (++read % 10_000 === 0) onProgress(read)
    compare(story, comparable(story), model.weights)
  })
  values.close()
  return samples.filter(({ choice, best }) => choice.story === (best?.story ?? null)).length / samples.length
}

interface ComparedMember {
  readonly time: number
  readonly order: number
  readonly features: Features
}

interface StoryMembers {
  readonly story: string
  readonly members: readonly ComparedMember[]
}

/** Counts the articles that have a key of a sample, as the search counts them: on days of its window, in live stories. */
function keyCounts(samples: readonly ExhaustiveSample[], { join }: Weights) {
  const byKey = samplesByKey(samples, keysOf)
  const counts = new Map(samples.map(({ own }) => [own, new Map<number, number>()]))
  const isInDays = (time: number, own: Features): boolean => Math.abs(dayOf(time) - dayOf(own.time)) <= join.window_days
  const count = (key: number, of: readonly ExhaustiveSample[]): void => {
    for (const { own } of of) {
      const known = counts.get(own)
      known?.set(key, (known.get(key) ?? 0) + 1)
    }
  }
  return {
    add: ({ members }: StoryMembers): void => {
      for (const { time, features: member } of members) {
        const counted = ({ own }: ExhaustiveSample): boolean => isInDays(time, own) && isLive(members, own, join)
        for (const key of keysOf(member)) count(key, byKey.get(key)?.filter(counted) ?? [])
      }
    },
    isCommon: (own: Features, key: number): boolean => (counts.get(own)?.get(key) ?? 0) > MOST_WITH_KEY,
  }
}

const isLive = (members: readonly ComparedMember[], own: Features, { window_days }: Weights['join']): boolean =>
  members.some(({ time }) => Math.abs(time - own.time) <= window_days * DAY_MS)

type IsCommonKey = ReturnType<typeof keyCounts>['isCommon']

/**
 * The samples that may join a story, and a few more: `mayJoin` demands a common key of two articles with a body. Most
 * stories have none in common with most samples.
 */
function comparableSamples(samples: readonly ExhaustiveSample[], isCommon: IsCommonKey) {
  const always = samples.filter(({ own }) => !isComparedByBody(own))
  const byKey = samplesByKey(
    samples.filter(({ own }) => isComparedByBody(own)),
    (own) => keysOf(own).filter((key) => !isCommon(own, key)),
  )
  return ({ members }: StoryMembers): Iterable<ExhaustiveSample> => {
    if (members.some(({ features: own }) => !isComparedByBody(own))) return samples
    return new Set([
      ...always,
      ...members.flatMap((member) => keysOf(member.features).flatMap((key) => byKey.get(key) ?? [])),
    ])
  }
}

function samplesByKey(
  samples: readonly ExhaustiveSample[],
  keys: (own: Features) => readonly number[],
): Map<number, ExhaustiveSample[]> {
  const byKey = new Map<number, ExhaustiveSample[]>()
  for (const sample of samples) {
    for (const key of keys(sample.own)) {
      const known = byKey.get(key)
      if (known === undefined) byKey.set(key, [sample])
      else known.push(sample)
    }
  }
  return byKey
}

const isComparedByBody = (own: Features): boolean => own.hasBody && !isForeign(own)
const keysOf = (own: Features): number[] => Array.from(termsIn(own, SECTIONS.keys), (term) => term >>> HASH_SHIFT)

function compare({ story, members }: StoryMembers, samples: Iterable<ExhaustiveSample>, weights: Weights): void {
  const newest = members.reduce((time, member) => Math.max(time, member.time), -Infinity)
  const most = bounds(weights)
  for (const sample of samples) {
    const floor = sample.best?.score ?? weights.join.threshold
    if (!isLive(members, sample.own, weights.join)) continue
    if (!members.some((member) => most(sample.own, member.features, floor) >= floor)) continue
    const score = scoreOf(sample.own, members, weights)
    const next = { story, score, newest }
    if (score > weights.join.threshold && isBetter(next, sample.best)) sample.best = next
  }
}

/** Equal scores: the story with the newer latest article wins, then the smaller id. */
function isBetter(one: BestStory, other: BestStory | null): boolean {
  if (other === null) return true
  if (one.score !== other.score) return one.score > other.score
  return one.newest > other.newest || (one.newest === other.newest && one.story < other.story)
}

function scoreOf(own: Features, members: readonly ComparedMember[], weights: Weights): number {
  const gap = ({ time }: ComparedMember): number => Math.abs(time - own.time)
  const nearest = members
    .filter((member) => member.features.encoder === own.encoder)
    .toSorted((a, b) => gap(a) - gap(b) || b.time - a.time || b.order - a.order)
    .slice(0, weights.join.members_compared)
    .map((member) => member.features)
  if (!mayJoin(own, nearest, weights.join)) return -Infinity
  const found = link(own, { members: nearest, size: members.length }, weights.pair)
  return found === null ? -Infinity : linkScore(found, weights).score
}

/** The features of a pair whose values are between 0 and 1 and are not computed for the bound. */
const AT_MOST_ONE = ['body_terms_cosine', 'entity_terms_cosine', 'numbers_apart', 'weekdays_apart', 'places_apart']

/**
 * An upper limit of the logit of two articles. The score of a story is at most the logit of its best pair, so most
 * stories need no exact comparison: 2,000 samples are compared with a million articles in minutes instead of hours.
 */
function bounds({ pair: { body } }: Pick<Weights, 'pair'>) {
  const weight = (name: string): number => body[name] ?? 0
  const [lead, title, gap] = [weight('lead_cosine'), weight('title_cosine'), weight('gap_days')]
  const rest = AT_MOST_ONE.reduce((sum, name) => sum + Math.max(0, weight(name)), weight('bias'))
  const isSimple = (one: Features): boolean => one.hasBody && one.dated
  const gapOf = (one: Features, other: Features): number => Math.min(3, Math.abs(one.time - other.time) / DAY_MS)
  return (own: Features, other: Features, floor: number): number => {
    if (!isSimple(own) || !isSimple(other) || lead < 0 || title < 0) return Infinity
    const most = rest + gap * gapOf(own, other) + ROUNDING
    if (most + lead + title < floor) return -Infinity
    const withLead = most + lead * leadCosine(own, other)
    if (withLead + title < floor) return -Infinity
    return withLead + title * titleCosine(own, other)
  }
}

/** Scores are rounded to a millionth. */
const ROUNDING = 1e-5
