import { webhooksChanged, type WebhookChanged } from '../events/webhooks.ts'
import { Book } from './book.ts'

/** Every webhook endpoint as `webhooks.changed` tells it, secrets sealed. */
export class WebhookBook extends Book<WebhookChanged> {
  private readonly byNamespace = new Map<string, Set<string>>()

  constructor() {
    super(webhooksChanged)
  }

  /** Those of one namespace, oldest first. */
  of(namespace: string): readonly WebhookChanged[] {
    const found = [...(this.byNamespace.get(namespace) ?? [])].flatMap((id) => this.get(id) ?? [])
    return found.sort((a, b) => a.created_at - b.created_at || (a.webhook_id < b.webhook_id ? -1 : 1))
  }

  protected override changed(before: WebhookChanged | null, now: WebhookChanged | null): void {
    if (before !== null) this.byNamespace.get(before.namespace)?.delete(before.webhook_id)
    if (now === null) return
    const ids = this.byNamespace.get(now.namespace) ?? new Set()
    this.byNamespace.set(now.namespace, ids.add(now.webhook_id))
  }
}
