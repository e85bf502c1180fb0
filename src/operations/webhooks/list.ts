import { readKeys } from '../keys/read-keys.ts'
import type { Wiring } from '../../ports/wiring.ts'
import { webhooksOf } from './read-webhooks.ts'
import { shown } from './webhook-lines.ts'

export interface WebhookListOptions {
  readonly namespace?: string
  readonly json?: true
}

export async function list(wiring: Wiring, { namespace, json }: WebhookListOptions): Promise<void> {
  const now = wiring.clock.now()
  const keys = await readKeys(wiring)
  const webhooks = (await (await webhooksOf(wiring)).now())
    .all()
    .filter((webhook) => namespace === undefined || webhook.namespace === namespace)
    .toSorted((a, b) => a.created_at - b.created_at || (a.webhook_id < b.webhook_id ? -1 : 1))
    .map((webhook) => ({ ...shown(webhook), has_live_key: keys.hasLiveKey(webhook, now) }))
  if (json) wiring.out.json({ webhooks })
  else if (webhooks.length === 0) wiring.out.line('No matching webhook endpoint')
  else webhooks.forEach((webhook) => wiring.out.line(lineOf(webhook)))
}

type Listed = ReturnType<typeof shown> & { readonly has_live_key: boolean }

const lineOf = ({ id, namespace, owner, status, disabled_reason, has_live_key, url }: Listed): string =>
  [
    ...[id, namespace.padEnd(16), (owner ?? '').padEnd(20)],
    (disabled_reason === null ? status : `${status} (${disabled_reason})`).padEnd(10),
    ...(has_live_key ? [] : ['no live key']),
    url,
  ].join('  ')
