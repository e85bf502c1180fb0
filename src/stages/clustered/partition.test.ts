import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { PlainCodec } from '../../adapters/plain-codec.ts'
import { articlesClustered, type ArticleClustered } from '../../events/ledger.ts'
import type { Entry } from '../../state/entry.ts'
import type { Input } from '../../runtime/shapes.ts'
import { sized } from '../../../test/builders/sizes.ts'
import { aClusterer, aCorrection, aFlush, inOrder, live, madeUpReport } from '../../../test/builders/clustered.ts'
import { clusteredMemory, type MemberRecord } from './changelog.ts'
import type { ClusteredInput } from './stage.ts'

/** A ledger read from its beginning: the story of each article, and the fate of every id ever used. */
class Ledger {
  readonly storyOf = new Map<string, string>()
  readonly members = new Map<string, Set<string>>()
  /** Articles in all stories together. */
  placed = 0
  private readonly into = new Map<string, string>()

  read({ change, article_id, cluster_id }: ArticleClustered): void {
    for (const id of change === null ? [article_id] : change.article_ids) this.place(id, cluster_id)
    const from = change?.from_cluster_id ?? null
    if (from !== null && this.sizeOf(from) === 0) this.into.set(from, cluster_id)
  }

  sizeOf(cluster: string): number {
    return this.members.get(cluster)?.size ?? 0
  }

  /** The current story that an id resolves to. */
  resolve(cluster: string): string | null {
    let at: string | undefined = cluster
    for (let steps = 0; at !== undefined && steps <= this.members.size; steps++) {
      if (this.sizeOf(at) > 0) return at
      at = this.into.get(at)
    }
    return null
  }

  private place(article: string, cluster: string): void {
    if (this.members.get(this.storyOf.get(article) ?? '')?.delete(article) === true) this.placed--
    this.storyOf.set(article, cluster)
    this.members.set(cluster, (this.members.get(cluster) ?? new Set()).add(article))
    this.placed++
  }
}

/** A seeded pseudo-random number generator. */
function numbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** `count` operations: mostly articles, sometimes a rebuild or an arbitrary correction. */
function operations(count: number, ledger: Ledger, random: (below: number) => number) {
  let articles = 0
  const anyStory = () => [...ledger.members.keys()][random(ledger.members.size)] ?? 'sto_none'
  const anyArticles = (story: string) => [...(ledger.members.get(story) ?? [])].filter(() => random(2) === 0)
  return Array.from({ length: count }, (_, i) => (): Input<ClusteredInput> => {
    const kind = random(60)
    if (kind === 0) return aFlush(i)
    if (kind > 5) {
      const day = articles / 3 + random(30) // some arrive late, between two stories of similar events
      const [article] = inOrder([madeUpReport({ event: random(20), outlet: i, day })], articles++)
      if (article !== undefined) return article
    }
    const cluster_id = anyStory()
    const action = (['move', 'merge', 'split', 'keep_apart', 'undo'] as const)[random(5)] ?? 'move'
    const requested = { action, cluster_id, other_cluster_id: anyStory(), article_ids: anyArticles(cluster_id) }
    return aCorrection({ ...requested, correction_id: action === 'undo' ? `cor_${random(i + 1)}` : `cor_${i}` }, i)
  })
}

const OPERATIONS = sized(1_400, 10_000)

describe('the ledger', () => {
  it(`resolves every id ever issued and keeps the articles a partition, after ${OPERATIONS} joins, merges, splits and corrections`, () => {
    const stage = aClusterer(100_000)
    const ledger = new Ledger()
    const seen = new Set<string>()
    let state = stage.memory.empty()
    const actions = new Map<string, number>()
    for (const next of operations(OPERATIONS, ledger, numbers(7))) {
      const input = next()
      if ('text' in input.event) seen.add(input.event.article_id)
      const { events, state: after } = live(stage, [input], { state })
      state = after
      for (const event of events) {
        ledger.read(event)
        actions.set(event.action, (actions.get(event.action) ?? 0) + 1)
      }
      // every article in exactly one story
      if (ledger.placed !== seen.size || ledger.storyOf.size !== seen.size) expect(ledger.placed).toBe(seen.size)
    }

    const stories = state.namespaces.get('shared')
    for (const id of ledger.members.keys()) expect(ledger.resolve(id)).not.toBeNull()
    expect(
      [...(stories?.members.values() ?? [])].map(({ articleId, clusterId }) => [articleId, clusterId]).sort(),
    ).toEqual([...ledger.storyOf].sort())
    for (const action of ['opened', 'joined', 'merged', 'split', 'moved', 'corrected', 'rebuilt']) {
      expect(actions.get(action) ?? 0, action).toBeGreaterThan(9)
    }
  }, 300_000)

  it('is the same, and so is memory, live, restarted in the middle and replayed', async () => {
    const ledger = new Ledger()
    const stage = aClusterer(100_000)
    let state = stage.memory.empty()
    const inputs: Input<ClusteredInput>[] = []
    for (const next of operations(400, ledger, numbers(11))) {
      const input = next()
      inputs.push(input)
      const { events, state: after } = live(stage, [input], { state })
      for (const event of events) ledger.read(event)
      state = after
    }
    const whole = live(aClusterer(100_000), inputs)
    const before = live(aClusterer(100_000), inputs.slice(0, 217))
    const restored = [...compacted(before.entries)].reverse()
    const from = (await throughTheLog(restored)).reduce(
      (folded, entry) => stage.memory.evolve(folded, entry),
      stage.memory.empty(),
    )
    const after = live(aClusterer(100_000), inputs.slice(217), { state: from })

    const restarted = { events: [...before.events, ...after.events], entries: [...before.entries, ...after.entries] }
    expect(await hash(restarted)).toBe(await hash(whole))
    expect(await hash(live(aClusterer(100_000), inputs))).toBe(await hash(whole))
  }, 300_000)
})

const compacted = (entries: readonly Entry<MemberRecord>[]) =>
  new Map(entries.map((entry) => [entry.key, entry])).values()

const codec = new PlainCodec()

async function throughTheLog(entries: readonly Entry<MemberRecord>[]): Promise<Entry<MemberRecord>[]> {
  return Promise.all(
    entries.map(async ({ key, value }) => {
      if (value === null) return { key, value }
      const decoded = await codec.decode(clusteredMemory, await codec.encode(clusteredMemory, value))
      return { key, value: decoded.kind === 'event' ? decoded.event : null }
    }),
  )
}

/** A hash of the ledger and of the final state. */
async function hash(lived: {
  readonly events: readonly ArticleClustered[]
  readonly entries: readonly Entry<MemberRecord>[]
}): Promise<string> {
  const sum = createHash('sha256')
  for (const event of lived.events) sum.update(await codec.encode(articlesClustered, event))
  for (const { key, value } of [...compacted(lived.entries)].sort((a, b) => (a.key < b.key ? -1 : 1))) {
    sum.update(key)
    if (value !== null) sum.update(await codec.encode(clusteredMemory, value))
  }
  return sum.digest('hex')
}
