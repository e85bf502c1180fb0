import { webhooksChanged, type WebhookChanged } from '../../events/webhooks.ts'
import { Book, type UpToDate } from './book.ts'
import type { Codec, Log } from '../../ports/log.ts'

/** The states of an endpoint in the log since somebody began to look, the oldest first; null: it was deleted. */
export interface WatchedWebhook {
  readonly states: readonly (WebhookChanged | null)[]
  end(): void
}

/** Every webhook endpoint as `webhooks.changed` has it, secrets sealed. */
export class WebhookBook extends Book<WebhookChanged> {
  private readonly byNamespace = new Map<string, Set<string>>()
  private readonly watching = new Set<{ readonly id: string; readonly states: (WebhookChanged | null)[] }>()

  constructor() {
    super(webhooksChanged)
  }

  /** Those of one namespace, oldest first. */
  of(namespace: string): readonly WebhookChanged[] {
    const found = [...(this.byNamespace.get(namespace) ?? [])].flatMap((id) => this.get(id) ?? [])
    return found.sort((a, b) => a.created_at - b.created_at || (a.webhook_id < b.webhook_id ? -1 : 1))
  }

  /** Every state that is read from now on, and not only the last: for who must see what came between. */
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

/** One change of an endpoint. `become` is asked again whenever another's change came between: twice must be as once. */
export interface WebhookChange<Refusal> {
  /** Before it is written; null: it may be. */
  readonly refusal: (found: ChangeWebhookState) => Refusal | null
  /** Null: it is deleted. */
  readonly become: (found: WebhookChanged) => ChangeWebhookState
}

interface ChangeWebhookPorts {
  readonly log: Pick<Log, 'produce'>
  readonly codec: Pick<Codec, 'encode'>
  readonly known: Pick<UpToDate<WebhookBook>, 'now'>
}

/** Others changed the endpoint again and again at the same time: nothing says which of it holds. */
export class TooManyAtOnce extends Error {
  override readonly name = 'TooManyAtOnce'
}

export interface WebhookChangeDone {
  readonly kind: 'changed'
  /** As the log now has it; null: it is gone. */
  readonly endpoint: ChangeWebhookState
}

const MOST_ROUNDS = 6

/**
 * Makes a change of an endpoint that others may change at the same moment: other instances of the API, what delivers, an
 * operator. The record is a whole one and the log has no compare-and-set, so after writing all that the log has
 * meanwhile is read, and the change made again on whatever another wrote. Resolves when the newest record has it and
 * nothing that stood between is lost. Throws `TooManyAtOnce`, or as the log does.
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
    if (theirs === null) await record.write(null) // ours came after the end and would bring it back
    found = theirs
  }
  throw new TooManyAtOnce(record.id)
}

const applied = ({ become }: WebhookChange<unknown>, found: ChangeWebhookState): ChangeWebhookState =>
  found === null ? null : become(found)

interface WrittenStates {
  /** What another wrote last since we looked; undefined: nobody did. */
  readonly theirs: ChangeWebhookState | undefined
  readonly newest: ChangeWebhookState
}

/** What the log has of one endpoint, read on after each writing. */
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

  /** But for when it was changed last. */
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
