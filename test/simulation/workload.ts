import { articlesIngested, type ArticleIngested } from '../../src/events/articles.ts'
import { CHANGE_TYPES } from '../../src/events/changes.ts'
import { discoursePosts, type Platform, type PostObserved } from '../../src/events/discourse.ts'
import { sha256 } from '../../src/events/ids.ts'
import { articlesClustered, type ArticleClustered } from '../../src/events/ledger.ts'
import { clockTicked, correctionsRequested, type CorrectionAction } from '../../src/events/settings.ts'
import type { Topic } from '../../src/events/topic.ts'
import { monitorsChanged, type MonitorConditions } from '../../src/events/monitors.ts'
import { webhooksChanged } from '../../src/events/webhooks.ts'
import { aMonitor } from '../builders/monitors.ts'
import { aWebhook } from '../builders/webhooks.ts'
import { DEADLY, THROWING } from './doubles.ts'
import type { SimulationRandom } from './random.ts'
import type { Simulation } from './simulation.ts'

const HOUR_MS = 3_600_000

const PLACES = ['Tamsin', 'Orle', 'Quayle', 'Ventnor', 'Brask', 'Ulmen', 'Sarno', 'Pelk']
const DEEDS = [
  ['dock strike', 'dock workers walked out over a pay raise and the union leader called for talks'],
  ['flood', 'rivers burst their banks after a storm and hundreds of homes were evacuated overnight'],
  ['mayor trial', 'the mayor denied taking bribes from a builder as prosecutors opened the corruption trial'],
  ['rail crash', 'a freight train left the rails near the tunnel and engineers inspected the broken signal'],
] as const
const FLAVOURS = ['late on Monday', 'as officials watched', 'residents told reporters', 'in the early hours']
const HEADLINES = ['what we know', 'live', 'officials speak', 'a town waits']
const POSTS = ['This is a hoax and a lie.', 'I agree, exactly.', 'Is that true?', 'Awful news for the whole town.']

const MALFORMED = [articlesIngested, discoursePosts, clockTicked, correctionsRequested].map(({ name }) => name)

type WorkloadKind = keyof typeof WEIGHTS
const WEIGHTS = {
  article: 10,
  revision: 2,
  repeat: 1,
  malformed: 0.6,
  refused: 0.4,
  deadly: 0.15,
  throwing: 0.3,
  tick: 4,
  correction: 1.5,
  post: 3,
  deletion: 0.7,
  endpoint: 0.4,
  monitor: 0.6,
} as const

/** A small world of news that comes in while things go wrong. */
export class Workload {
  /** How likely something comes between two steps. */
  readonly rate: number
  /** Endpoints that were there before all else and stayed as they were. */
  readonly steadyEndpoints: string[] = []
  private readonly world: Simulation
  private readonly random: SimulationRandom
  private readonly namespaces: readonly string[]
  private readonly events: readonly number[]
  private readonly plan: WorkloadKind[] = []
  private readonly articles: ArticleIngested[] = []
  private readonly posts: PostObserved[] = []
  private readonly endpoints: string[] = []
  /** After the last of it things go wrong for a while. */
  private lingers: number
  private began = false
  private made = 0
  private hours = 0

  constructor(world: Simulation, random: SimulationRandom) {
    this.world = world
    this.random = random
    this.namespaces = ['shared', 'red-press', 'blue-press'].slice(0, random.pick([1, 1, 2, 3]))
    this.events = Array.from({ length: random.between(2, 4) }, () => random.between(0, 31))
    const articles = random.chance(0.15) ? random.between(6, 14) : random.between(2, 5)
    for (let left = articles; left > 0;) {
      const kind = this.sampledKind()
      this.plan.push(kind)
      if (kind === 'article') left -= 1
    }
    this.plan.push('tick')
    this.rate = random.pick([0.005, 0.02, 0.1])
    this.lingers = random.between(0, 4)
  }

  get isOver(): boolean {
    return this.began && this.plan.length === 0 && this.lingers === 0
  }

  /** The next thing comes in. */
  next(): void {
    void this.bring().catch((cause: unknown) => this.world.violation(`the workload failed: ${String(cause)}`))
  }

  private async bring(): Promise<void> {
    if (!this.began) {
      this.began = true
      for (let left = this.random.between(0, 3); left > 0; left--) await this.endpoint()
      for (let left = this.random.between(0, 3); left > 0; left--) await this.monitor()
      this.steadyEndpoints.push(...this.endpoints)
      return
    }
    const kind = this.plan.shift()
    if (kind === undefined) this.lingers = Math.max(0, this.lingers - 1)
    else await this.come(kind)
  }

  private sampledKind(): WorkloadKind {
    const all = Object.entries(WEIGHTS) as [WorkloadKind, number][]
    let left = this.random.next() * all.reduce((sum, [, weight]) => sum + weight, 0)
    return all.find(([, weight]) => (left -= weight) < 0)?.[0] ?? 'article'
  }

  private async come(kind: WorkloadKind): Promise<void> {
    this.made += 1
    const comes: Readonly<Record<WorkloadKind, () => Promise<void> | void>> = {
      article: () => this.article({}),
      deadly: () => this.article({ title: `${DEADLY} seen near the town hall` }),
      throwing: () => this.article({ source: THROWING, url: null }),
      refused: () => this.article({ text: 'too short' }),
      revision: () => this.revision(),
      repeat: () => this.repeat(),
      malformed: () => this.malformed(),
      tick: () => this.tick(),
      correction: () => this.correction(),
      post: () => this.post(),
      deletion: () => this.deletion(),
      endpoint: () => this.changeEndpoint(),
      monitor: () => this.monitor(),
    }
    await comes[kind]()
  }

  private async send<Event>(topic: Topic<Event>, event: Event): Promise<void> {
    const value = await this.world.codec.encode(topic, event)
    const headers = this.random.chance(0.3) ? { request_id: `req_${this.made}` } : {}
    this.world.broker.produce([{ topic: topic.name, key: topic.key(event), value, headers }])
    this.world.scheduler.note(`-> ${topic.name}`)
  }

  private async article(over: Partial<ArticleIngested>): Promise<void> {
    const { random } = this
    const event = random.pick(this.events)
    const outlet = random.between(0, 7)
    const place = `${PLACES[event % 8] ?? ''} ${PLACES[(event * 3 + 1) % 8] ?? ''}`
    const [deed, sentence] = DEEDS[event % 4] ?? DEEDS[0]
    const names = `Ada ${PLACES[(event * 5) % 8] ?? ''}son and Ion ${PLACES[(event + 3) % 8] ?? ''}berg`
    const article: ArticleIngested = {
      event_id: '',
      namespace: random.pick(this.namespaces),
      job_id: random.chance(0.3) ? `job_${this.made}` : null,
      url: random.chance(0.9) ? `https://outlet-${outlet}.example.com/${event}/${this.made}` : null,
      title: random.chance(0.95) ? `${place} ${deed}: ${HEADLINES[outlet % 4] ?? ''}` : null,
      source: `Outlet ${outlet}`,
      author: null,
      published_date: random.chance(0.85) ? this.world.scheduler.now - random.between(0, 72) * HOUR_MS : null,
      text: `In ${place} ${sentence} ${FLAVOURS[outlet % 4] ?? ''}. ${names} said the ${deed} in ${place} would be looked into. Report ${outlet}.`,
      request: null,
      producer: 'simulation',
      text_source: null,
      ...over,
    }
    this.articles.push(article)
    await this.send(articlesIngested, article)
  }

  private async revision(): Promise<void> {
    const known = this.articles.filter(({ url }) => url !== null)
    if (known.length === 0) {
      await this.article({})
      return
    }
    const article = this.random.pick(known)
    const event = this.random.pick(this.events)
    const [, sentence] = DEEDS[event % 4] ?? DEEDS[0]
    await this.send(articlesIngested, {
      ...article,
      text: `${article.text} Updated, number ${this.made}: ${sentence}.`,
    })
  }

  private async repeat(): Promise<void> {
    if (this.articles.length > 0) await this.send(articlesIngested, this.random.pick(this.articles))
  }

  private malformed(): void {
    const topic = this.random.pick(MALFORMED)
    const value = this.random.chance(0.2)
      ? null
      : Buffer.from(sha256(`${this.made}`).subarray(0, this.random.between(0, 20)))
    this.world.broker.produce([{ topic, key: this.random.pick(this.namespaces), value, headers: { theirs: 'kept' } }])
    this.world.scheduler.note(`-> malformed ${topic}`)
  }

  private async tick(): Promise<void> {
    this.hours += this.random.between(0, 30)
    const namespace = this.random.pick(this.namespaces)
    // some clocks are hours ahead of the log's
    const tick_at = this.world.scheduler.now + (this.random.chance(0.3) ? this.hours * HOUR_MS : 0)
    const event_id = this.random.chance(0.1) ? '' : `tick_${namespace}_${this.made}`
    await this.send(clockTicked, { event_id, namespace, tick_at, flush: this.random.chance(0.6) })
  }

  private async ledger(): Promise<readonly ArticleClustered[]> {
    const records = this.world.broker.records(articlesClustered.name)
    const decoded = await Promise.all(
      records.map(({ value }) => this.world.codec.decode(articlesClustered, value ?? Buffer.alloc(0))),
    )
    return decoded.flatMap((one) => (one.kind === 'event' && one.event.change === null ? [one.event] : []))
  }

  private async correction(): Promise<void> {
    const ledger = await this.ledger()
    if (ledger.length === 0) return
    const [one, other] = [this.random.pick(ledger), this.random.pick(ledger)]
    const action: CorrectionAction = this.random.pick(['move', 'merge', 'split', 'keep_apart', 'undo'])
    const number = action === 'undo' ? this.random.between(0, this.made) : this.made
    await this.send(correctionsRequested, {
      event_id: `evt_correction_${this.made}`,
      namespace: one.namespace,
      occurred_at: this.world.scheduler.now,
      correction_id: `cor_${number}`,
      action,
      cluster_id: one.cluster_id,
      other_cluster_id: ['move', 'merge', 'keep_apart'].includes(action) ? other.cluster_id : null,
      article_ids: action === 'move' || action === 'split' ? [one.article_id] : [],
      reason: null,
      key_id: 'key_a',
    })
  }

  private async post(): Promise<void> {
    const { random } = this
    const ledger = await this.ledger()
    const about = ledger.length === 0 ? null : random.pick(ledger)
    const answered = this.posts.length > 0 && random.chance(0.3) ? random.pick(this.posts) : null
    const platform: Platform = answered?.platform ?? random.pick(['reddit', 'bluesky'])
    const post: PostObserved = {
      event_id: random.chance(0.2) ? '' : `evt_post_${this.made}`,
      namespace: answered?.namespace ?? about?.namespace ?? random.pick(this.namespaces),
      platform,
      post_id: `${this.made}`,
      url: `https://${platform}.example/${this.made}`,
      author: `author ${random.between(0, 4)}`,
      text: `${random.pick(POSTS)} ${PLACES[random.between(0, 7)] ?? ''} Quill said so.`,
      created_at: this.world.scheduler.now - random.between(0, 5) * HOUR_MS,
      reply_to: answered?.post_id ?? null,
      cluster_id: random.chance(0.4) ? (about?.cluster_id ?? null) : null,
      article_url: random.chance(0.4) ? (about?.member.url ?? null) : null,
      score: 1,
      deleted: false,
    }
    this.posts.push(post)
    await this.send(discoursePosts, post)
  }

  private async deletion(): Promise<void> {
    if (this.posts.length === 0) return
    const post = this.random.pick(this.posts)
    await this.send(discoursePosts, { ...post, event_id: `evt_deleted_${this.made}`, text: '', deleted: true })
  }

  /** One more, or another state of a known one. */
  private async monitor(): Promise<void> {
    const { random } = this
    const number = random.between(0, 3)
    const { now } = this.world.scheduler
    const conditions: Partial<MonitorConditions>[] = [
      { query: 'looked into' },
      { query: `${PLACES[random.between(0, 7)] ?? ''} -wind`, min_origins: 2 },
      { languages: ['en'], min_origins: 3 },
      { lifecycle_states: ['breaking', 'developing'] },
      { min_velocity: 2 },
    ]
    await this.send(
      monitorsChanged,
      aMonitor({
        monitor_id: `mon_${number}`,
        namespace: random.pick(this.namespaces),
        conditions: random.pick(conditions),
        conditions_version: random.between(1, 3),
        status: random.pick(['active', 'active', 'active', 'paused', 'deleted']),
        quiet_hours: random.chance(0.3) ? { start: '10:00', end: '16:00' } : null,
        max_per_day: random.between(1, 3),
        created_at: now,
        updated_at: now,
      }),
    )
  }

  private async endpoint(): Promise<void> {
    const id = `whk_${this.endpoints.length}`
    this.endpoints.push(id)
    const namespace = this.random.pick(this.namespaces)
    const { now } = this.world.scheduler
    await this.send(
      webhooksChanged,
      aWebhook({
        webhook_id: id,
        namespace,
        url: `https://${id}.example.com/hook`,
        events: CHANGE_TYPES.filter(() => this.random.chance(0.5)),
        created_at: now,
        updated_at: now,
      }),
    )
  }

  /** One more, or one less. */
  private async changeEndpoint(): Promise<void> {
    const id = this.endpoints.at(-1)
    if (id === undefined || this.random.chance(0.6)) {
      await this.endpoint()
      return
    }
    this.world.broker.produce([{ topic: webhooksChanged.name, key: id, value: null }])
    const at = this.steadyEndpoints.indexOf(id)
    if (at >= 0) this.steadyEndpoints.splice(at, 1)
  }
}
