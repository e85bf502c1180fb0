import { webhooksChanged, type WebhookChanged } from '../../events/webhooks.ts'
import { Book } from './book.ts'

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
