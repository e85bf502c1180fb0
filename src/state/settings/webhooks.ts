import { webhooksChanged, type WebhookChanged } from '../../events/webhooks.ts'
import { Book, type UpToDate } from './book.ts'
import type { Codec, Log } from '../../ports/log.ts'

/** The states of an endpoint read from the log since the watch began, oldest first; `null` if it was deleted. */
export interface WatchedWebhook {
  readonly states: readonly (WebhookChanged | null)[]
  end(): void
}

/** Every webhook endpoint in `webhooks.changed`, with sealed secrets. */
export class WebhookBook extends Book<WebhookChanged> {
  private readonly byNamespace = new Map<string, Set<string>>()
  private readonly watching = new Set<{ readonly id: string; readonly states: (WebhookChanged | null)[] }>()

  constructor() {
    super(webhooksChanged)
  }

  /** The endpoints of one namespace, oldest first. */
  of(namespace: string): readonly WebhookChanged[] {
    const found = [...(this.byNamespace.get(namespace) ?? [])].flatMap((id) => this.get(id) ?? [])
    return found.sort((a, b) => a.created_at - b.created_at || (a.webhook_id < b.webhook_id ? -1 : 1))
  }

  /**
   * Collects every state that is read from now on, not only the newest, for callers that must see concurrent changes.
   */
  watch(id: string): WatchedWebhook {
    const one = { id, states: [] }
    this.watching.add(one)
    return { states: one.states, end: () => void this.watching.delete(one) }
  }

  protected override changed(before: WebhookChanged | null, now: WebhookChanged | null): void {
    this.notify(before, now)
    if (before !== null) this.byNamespace.get(before.namespace)?.delete(before.webhook_id)
    if (now === null) return
    const ids = this.byNamespace.get(now.namespace) ?? new Set()
    this.byNamespace.set(now.namespace, ids.add(now.webhook_id))
  }

  private notify(before: WebhookChanged | null, now: WebhookChanged | null): void {
    const id = (now ?? before)?.webhook_id
    for (const one of this.watching) if (one.id === id) one.states.push(now)
  }
}

type ChangeWebhookState = WebhookChanged | null

/** One change of an endpoint. `become` is called again after each concurrent change, so it must be idempotent. */
export interface WebhookChange<Refusal> {
  /** Checked before the change is written. `null` if the change is allowed. */
  readonly refusal: (found: ChangeWebhookState) => Refusal | null
  /** Returns `null` to delete the endpoint. */
  readonly become: (found: WebhookChanged) => ChangeWebhookState
}

interface ChangeWebhookPorts {
  readonly log: Pick<Log, 'produce'>
  readonly codec: Pick<Codec, 'encode'>
  readonly known: Pick<UpToDate<WebhookBook>, 'now'>
}

/** The endpoint was changed concurrently too many times, so it is unknown which change holds. */
export class TooManyAtOnce extends Error {
  override readonly name = 'TooManyAtOnce'
}

export interface WebhookChangeDone {
  readonly kind: 'changed'
  /** The endpoint as it is now in the log; `null` if it is deleted. */
  readonly endpoint: ChangeWebhookState
}

const MOST_ROUNDS = 6

/**
 * Changes an endpoint that others may change concurrently: other instances of the API, the delivery effect, an
 * operator. A record holds the whole endpoint and the log has no compare-and-set. After writing, this therefore reads
 * everything that was logged meanwhile and repeats the change on top of any concurrent state. Resolves when the newest
 * record includes the change and no concurrent change is lost. Throws `TooManyAtOnce` and the errors of the log.
 */
export async function changeWebhook<Refusal>(
  id: string,
  change: WebhookChange<Refusal>,
  ports: ChangeWebhookPorts,
): Promise<WebhookChangeDone | Refusal> {
  const book = await ports.known.now()
  const watched = book.watch(id)
  try {
    return await repeated(change, new Record(id, { book, watched }, ports))
  } finally {
    watched.end()
  }
}

async function repeated<Refusal>(change: WebhookChange<Refusal>, record: Record): Promise<WebhookChangeDone | Refusal> {
  let found = record.newest()
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const refused = change.refusal(found)
    if (refused !== null) return refused
    const { theirs, newest } = await record.write(applied(change, found))
    if (theirs === undefined) return { kind: 'changed', endpoint: newest }
    if (await record.isSame(applied(change, theirs), newest)) return { kind: 'changed', endpoint: newest }
    if (theirs === null) await record.write(null) // our write came after the deletion and would restore the endpoint
    found = theirs
  }
  throw new TooManyAtOnce(record.id)
}

const applied = ({ become }: WebhookChange<unknown>, found: ChangeWebhookState): ChangeWebhookState =>
  found === null ? null : become(found)

interface WrittenStates {
  /** The last concurrent state since the previous read; `undefined` if there was none. */
  readonly theirs: ChangeWebhookState | undefined
  readonly newest: ChangeWebhookState
}

/** The log's records of one endpoint, read further after each write. */
class Record {
  readonly id: string
  private readonly read: { readonly book: WebhookBook; readonly watched: WatchedWebhook }
  private readonly ports: ChangeWebhookPorts
  private seen = 0

  constructor(id: string, read: Record['read'], ports: ChangeWebhookPorts) {
    this.id = id
    this.read = read
    this.ports = ports
  }

  newest(): ChangeWebhookState {
    return this.read.book.get(this.id)
  }

  async write(state: ChangeWebhookState): Promise<WrittenStates> {
    const { log, codec, known } = this.ports
    const value = state === null ? null : await codec.encode(webhooksChanged, state)
    await log.produce([{ topic: webhooksChanged.name, key: this.id, value }])
    await known.now()
    const newest = this.newest()
    const seenStates = this.read.watched.states.slice(this.seen)
    this.seen += seenStates.length
    const isOurs = await Promise.all(seenStates.map((one) => this.isValue(one, value)))
    const ours = isOurs.indexOf(true)
    return { theirs: seenStates.filter((_, i) => i !== ours).at(-1), newest }
  }

  /** Compares everything except the time of the last change. */
  async isSame(one: ChangeWebhookState, other: ChangeWebhookState): Promise<boolean> {
    if (one === null || other === null) return one === other
    const value = await this.ports.codec.encode(webhooksChanged, { ...one, updated_at: 0 })
    return this.isValue({ ...other, updated_at: 0 }, value)
  }

  private async isValue(state: ChangeWebhookState, value: Buffer | null): Promise<boolean> {
    if (state === null || value === null) return state === value
    return value.equals(await this.ports.codec.encode(webhooksChanged, state))
  }
}
