import { expect, it } from 'vitest'
import { articlesClustered, type ArticleClustered } from '../../../src/events/ledger.ts'
import { seeded } from '../../../src/quality/seeded-random.ts'
import { surviving } from '../../../src/views/clusters/surviving-story.ts'
import { clusterItems } from '../../../src/views/clusters/items.ts'
import { A_DAY } from '../../builders/articles.ts'
import { aStoryArticle } from '../../builders/discourse.ts'
import { aClusteredArticle, aStoryChange } from '../../builders/views.ts'
import { aNamespace, viewsDatabase } from '../views-database.ts'

const HOUR_MS = 3_600_000
const EVENTS = 120
const { store, writer } = viewsDatabase()

/** A random ledger, as the clusterer may write it: `stories` is its state at each event. */
class RandomLedger {
  readonly events: ArticleClustered[] = []
  readonly times = new Map<string, number>()
  readonly #belongs = new Map<string, string>()
  readonly #random: (below: number) => number
  readonly #namespace: string

  constructor(namespace: string, seed: number) {
    this.#namespace = namespace
    const random = seeded(String(seed))
    this.#random = (below) => Math.floor(random() * below)
    for (let i = 0; i < EVENTS; i++) this.#next(i)
  }

  #next(i: number): void {
    const stories = [...new Set(this.#belongs.values())]
    const from = stories[this.#random(stories.length)]
    const to = stories[this.#random(stories.length)]
    const deed = this.#random(10)
    if (from === undefined || to === undefined || deed < 5) this.#comes(i, to)
    else if (deed < 7) this.#goes(from, to, this.#members(from))
    else if (deed < 8) this.#goes(from, `sto_${i}`, this.#members(from).slice(1))
    else this.#goes(from, to, this.#members(from).slice(0, 1))
  }

  #comes(i: number, story: string | undefined): void {
    const article_id = `art_${i}`
    const cluster_id = story === undefined || this.#random(3) === 0 ? `sto_${i}` : story
    const occurred_at = A_DAY + this.#random(100) * HOUR_MS
    this.times.set(article_id, occurred_at)
    this.#belongs.set(article_id, cluster_id)
    const member = { ...aStoryArticle().member, semantic_hash: article_id }
    const action = cluster_id === `sto_${i}` ? 'opened' : 'joined'
    const at = { namespace: this.#namespace, cluster_id, article_id, occurred_at }
    this.events.push(aClusteredArticle({ ...at, action, member }))
  }

  #goes(from: string, to: string, article_ids: readonly string[]): void {
    if (from === to || article_ids.length === 0) return
    const isCorrection = this.#random(3) === 0
    const newest = Math.max(...article_ids.map((id) => this.times.get(id) ?? 0))
    for (const id of article_ids) this.#belongs.set(id, to)
    const change = aStoryChange({
      ...{ namespace: this.#namespace, to, article_ids, from_cluster_id: from },
      action: isCorrection ? 'corrected' : 'moved',
      occurred_at: isCorrection ? A_DAY + 1_000 * HOUR_MS : newest,
      ...(isCorrection
        ? { correction: { correction_id: 'cor_1', action: 'move', refused: null, reason: null, key_id: 'key_1' } }
        : {}),
    })
    this.events.push({ ...change, event_id: `evt_${this.events.length}` })
  }

  #members = (story: string): string[] =>
    [...this.#belongs].filter(([, belongs]) => belongs === story).map(([article]) => article)

  /** Articles by story at a point in time, as in the contract: of the events that hold by then, the last in the log. */
  asOf(moment: number): Map<string, string[]> {
    const belongs = new Map<string, string>()
    for (const { action, cluster_id, article_id, occurred_at, change } of this.events) {
      if (occurred_at > moment && action !== 'corrected') continue
      for (const id of change?.article_ids ?? [article_id]) belongs.set(id, cluster_id)
    }
    const stories = new Map<string, string[]>()
    for (const [article, story] of belongs) {
      if ((this.times.get(article) ?? Infinity) <= moment) stories.set(story, [...(stories.get(story) ?? []), article])
    }
    return stories
  }

  /** Ids of all stories that the articles of that time were ever assigned to. */
  idsBy(moment: number): string[] {
    const words = this.events.filter(({ action, occurred_at }) => occurred_at <= moment || action === 'corrected')
    const known = words.filter(({ change, article_id }) =>
      (change?.article_ids ?? [article_id]).some((id) => (this.times.get(id) ?? Infinity) <= moment),
    )
    return [...new Set(known.map(({ cluster_id }) => cluster_id))]
  }
}

it.each([1, 2, 3])(
  'articles are partitioned into stories at every point in time, and every id resolves to a story (%i)',
  async (seed) => {
    const namespace = aNamespace()
    const ledger = new RandomLedger(namespace, seed)
    await writer.write(articlesClustered, ledger.events)

    for (const hours of [20, 60, 99, 2_000]) {
      const as_of = A_DAY + hours * HOUR_MS
      const expected = ledger.asOf(as_of)
      const ids = ledger.idsBy(as_of)

      const items = await clusterItems(store)({ namespace, ids, as_of, max_entities: 1 })
      const found = items.map(({ cluster_id, articles }) => [cluster_id, articles.toSorted()] as const)
      const sorted = [...expected].map(([story, articles]) => [story, articles.toSorted()] as const)
      expect(new Map(found)).toEqual(new Map(sorted))

      const survivors = await Promise.all(ids.map((cluster_id) => surviving(store, { namespace, cluster_id, as_of })))
      for (const [i, survivor] of survivors.entries()) {
        expect([ids[i], expected.has(survivor?.cluster_id ?? '')]).toEqual([ids[i], true])
        if (expected.has(ids[i] ?? '')) expect(survivor).toEqual({ cluster_id: ids[i], merged_at: null })
      }
    }
  },
)
