import { changesPublished, NO_FILTER_FACTS, type ChangePublished } from '../../src/events/changes.ts'
import type { MemoryLog } from '../../src/adapters/memory-log.ts'
import type { Log } from '../../src/ports/log.ts'
import type { BoundQuery } from '../../src/ports/store.ts'
import { instant } from '../../src/views/instant.ts'
import { A_NOON, aCodec, FakeStore } from './api.ts'

/** For clients over real sockets. */
export { systemClock } from '../../src/adapters/clock.ts'

/** A line of the feed: `<story> <n>`, the n-th thing that happened to a story. */
export function aPublished(story: string, n: number, over: Partial<ChangePublished> = {}): ChangePublished {
  const data = { cluster_id: `sto_${story}`, from_cluster_id: null, article_ids: [`art_${n}`] }
  return {
    event_id: `${over.namespace ?? 'shared'} ${story} ${n}`,
    namespace: 'shared',
    occurred_at: A_NOON + n,
    caused_by: null,
    produced_by: { stage: 'changed', version: 'test' },
    type: 'cluster.grown',
    subject_id: `sto_${story}`,
    entity_ids: [],
    velocity: null,
    membership: 'provisional',
    assignment_confidence: 0.8,
    ...NO_FILTER_FACTS,
    data: JSON.stringify({ ...data, correction_id: null, correction_action: null }),
    ...over,
  }
}

export async function publish(log: Pick<Log, 'produce'>, events: readonly ChangePublished[]): Promise<void> {
  const codec = aCodec()
  const records = events.map(async (event) => ({
    topic: changesPublished.name,
    key: changesPublished.key(event),
    value: await codec.encode(changesPublished, event),
  }))
  await log.produce(await Promise.all(records))
}

interface StoredChange {
  readonly row: ChangePublished
  readonly offset: number
  readonly partition: number
  readonly loggedAt: number
}

/** The table `changes`, written up to where a test says. */
export class FeedStore extends FakeStore {
  readonly kept: StoredChange[] = []

  override async query<Out>(query: BoundQuery<Out>): Promise<readonly Out[]> {
    const { namespace, owner, after, types, limit, since } = query.params
    const of = this.kept.filter(({ row }) => row.namespace === namespace)
    const [last] = of.slice(-1)
    this.rows.set('changes.newest', last === undefined ? [] : [{ place: last.offset, log_partition: last.partition }])
    const found = of.filter(({ row, offset, loggedAt }) => {
      if (!Array.isArray(types) || typeof since !== 'string') return false
      if (namespace === 'shared' && row.owner !== '' && row.owner !== owner) return false
      return offset > Number(after) && types.includes(row.type) && instant(loggedAt) >= since
    })
    this.rows.set('changes.after', found.slice(0, Number(limit)).map(rowOf))
    return super.query(query)
  }
}

const rowOf = ({ row, offset, partition, loggedAt }: StoredChange) => ({
  ...{ id: row.event_id, type: row.type, owner: row.owner, data: row.data, place: offset, log_partition: partition },
  occurred_at: new Date(row.occurred_at).toISOString(),
  logged_at: loggedAt,
})

/** The view's process: the rows of what the log holds below an offset, and then its word that it has them. */
export async function viewReads(log: MemoryLog, store: FeedStore, end = Infinity): Promise<void> {
  const codec = aCodec()
  let last = -1
  for (const { value, offset, partition, loggedAt } of log.records(changesPublished.name)) {
    if (offset >= end || value === null) continue
    const decoded = await codec.decode(changesPublished, value)
    if (decoded.kind === 'malformed') continue
    if (!store.kept.some((one) => one.offset === offset)) {
      store.kept.push({ row: decoded.event, offset, partition, loggedAt })
    }
    last = Math.max(last, offset)
  }
  log.commit('view:changes', { topic: changesPublished.name, partition: 0, offset: last + 1 }, null)
}

interface Event {
  readonly event: string
  readonly id: string
  readonly data: string
}

/** What a client has of a stream, as a browser would read it. */
export interface HeardEvents {
  readonly events: Event[]
  /** What it would send as `Last-Event-ID`: an id may come without an event. */
  lastId: string | null
  readonly comments: string[]
}

export interface Client extends HeardEvents {
  readonly response: Response
  /** Resolves when the stream has ended, whoever ended it. */
  readonly ended: Promise<void>
  leave(): void
}

/** A client over a real socket. */
export async function listen(address: string, key: string, lastId: string | null = null): Promise<Client> {
  const departure = new AbortController()
  const headers = { authorization: `Bearer ${key}`, ...(lastId === null ? {} : { 'last-event-id': lastId }) }
  const response = await fetch(address, { headers, signal: departure.signal })
  const heard: HeardEvents = { events: [], lastId, comments: [] }
  const ended = hear(response, heard).catch(() => undefined)
  return Object.assign(heard, { response, ended, leave: () => departure.abort() })
}

async function hear(response: Response, heard: HeardEvents): Promise<void> {
  if (response.body === null || !response.ok) return
  let rest = ''
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
    const blocks = (rest + text).split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) take(block, heard)
  }
}

function take(block: string, heard: HeardEvents): void {
  const fields = new Map(
    block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
  )
  const [comment, id, data] = [fields.get(''), fields.get('id'), fields.get('data')]
  if (comment !== undefined) heard.comments.push(comment)
  heard.lastId = id ?? heard.lastId
  if (data !== undefined) heard.events.push({ event: fields.get('event') ?? '', id: id ?? '', data })
}

export const idsIn = ({ events }: Pick<HeardEvents, 'events'>): string[] =>
  events.map(({ data }) => (JSON.parse(data) as { id: string }).id)
