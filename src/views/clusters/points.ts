import { HOUR_MS } from '../../domain/days.ts'
import { independent } from './independent-origins.ts'

export const RESOLUTIONS = { '1h': HOUR_MS, '6h': 6 * HOUR_MS, '1d': 24 * HOUR_MS } as const

export type PointsResolution = keyof typeof RESOLUTIONS

interface NamedEntity {
  readonly id: string
  readonly name: string
  readonly type: string
}

/** A member of a story as a time series sees it. */
export interface MemberInTime {
  /** Milliseconds since 1970, event time. */
  readonly at: number
  readonly origin: string
  readonly from_origin: string
  /** By which outlets are distinguished; null: not known. */
  readonly outlet: string | null
  /** The outlet as it is shown. */
  readonly source: string
  readonly sentiment_score: number
  readonly sentiment_label: string
  readonly entities: readonly (NamedEntity & { readonly mention_count: number })[]
}

/** A bucket of time; the counts are of the story up to its end, the rest is of the articles that came in it. */
export interface Point {
  /** When it begins, UTC. */
  readonly time: string
  readonly articles_added: number
  readonly article_count: number
  readonly source_count: number
  readonly origin_count: number
  readonly new_sources: string[]
  /** Most mentioned in the bucket first. */
  readonly new_entities: NamedEntity[]
  readonly sentiment: {
    /** -1 to +1; null: no article came. */
    readonly avg: number | null
    /** How many articles. */
    readonly distribution: { positive: number; neutral: number; negative: number }
  }
}

/** New entities that a bucket lists, at most. */
export const MAX_NEW_ENTITIES = 50

/** Buckets from the first member to the last; `members` oldest first. */
export const pointCount = (members: readonly MemberInTime[], bucket_ms: number): number =>
  members.length === 0 ? 0 : bucketOf(members.at(-1), bucket_ms) - bucketOf(members[0], bucket_ms) + 1

const bucketOf = (member: MemberInTime | undefined, bucket_ms: number): number =>
  Math.floor((member?.at ?? 0) / bucket_ms)

/**
 * One point for every bucket from the first member to the last, those without an article too; of more than `most` the
 * last ones, which count what came before them. `members` oldest first.
 */
export function pointsOf(members: readonly MemberInTime[], bucket_ms: number, most = Infinity): Point[] {
  const came = new Map<number, MemberInTime[]>()
  for (const member of members) {
    const bucket = bucketOf(member, bucket_ms)
    const there = came.get(bucket) ?? []
    came.set(bucket, there)
    there.push(member)
  }
  const soFar = new SoFar(independent(members))
  const length = Math.min(most, pointCount(members, bucket_ms))
  const first = bucketOf(members.at(-1), bucket_ms) - length + 1
  for (const [bucket, before] of came) if (bucket < first) soFar.point('', before)
  return Array.from({ length }, (_, i) =>
    soFar.point(new Date((first + i) * bucket_ms).toISOString(), came.get(first + i) ?? []),
  )
}

/** What a story has had up to a bucket. */
class SoFar {
  readonly #roots: ReadonlyMap<string, string>
  #articles = 0
  readonly #sources = new Set<string>()
  readonly #origins = new Set<string>()
  readonly #entities = new Set<string>()

  constructor(roots: ReadonlyMap<string, string>) {
    this.#roots = roots
  }

  point(time: string, members: readonly MemberInTime[]): Point {
    this.#articles += members.length
    for (const { origin } of members) this.#origins.add(this.#roots.get(origin) ?? origin)
    const new_sources = this.#newSources(members)
    return {
      time,
      articles_added: members.length,
      article_count: this.#articles,
      source_count: Math.max(1, this.#sources.size),
      origin_count: this.#origins.size,
      new_sources,
      new_entities: this.#newEntities(members),
      sentiment: sentimentOf(members),
    }
  }

  #newSources(members: readonly MemberInTime[]): string[] {
    const found: string[] = []
    for (const { outlet, source } of members) {
      if (outlet === null || this.#sources.has(outlet)) continue
      this.#sources.add(outlet)
      found.push(source)
    }
    return found
  }

  #newEntities(members: readonly MemberInTime[]): NamedEntity[] {
    const mentions = new Map<string, { readonly entity: NamedEntity; count: number }>()
    for (const { id, name, type, mention_count } of members.flatMap(({ entities }) => entities)) {
      if (this.#entities.has(id)) continue
      const known = mentions.get(id) ?? { entity: { id, name, type }, count: 0 }
      mentions.set(id, known)
      known.count += mention_count
    }
    for (const id of mentions.keys()) this.#entities.add(id)
    return [...mentions.values()]
      .toSorted((a, b) => b.count - a.count || (a.entity.id < b.entity.id ? -1 : 1))
      .slice(0, MAX_NEW_ENTITIES)
      .map(({ entity }) => entity)
  }
}

const DECIMALS = 1e6

function sentimentOf(members: readonly MemberInTime[]): Point['sentiment'] {
  const sum = members.reduce((total, { sentiment_score }) => total + sentiment_score, 0)
  const labelled = (type: string): number => members.filter(({ sentiment_label }) => sentiment_label === type).length
  return {
    avg: members.length === 0 ? null : Math.round((sum / members.length) * DECIMALS) / DECIMALS,
    distribution: { positive: labelled('positive'), neutral: labelled('neutral'), negative: labelled('negative') },
  }
}
