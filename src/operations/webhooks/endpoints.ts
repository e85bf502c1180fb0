import { UpToDate } from '../../state/settings/book.ts'
import { changeSetting } from '../../state/settings/change-setting.ts'
import { WebhookBook } from '../../state/settings/webhooks.ts'
import type { Wiring } from '../../ports/wiring.ts'
import type { WebhookChanged, WebhookStatus } from '../../events/webhooks.ts'
import { readKeys } from '../keys/read-keys.ts'
import type { CommandOptions } from '../options.ts'

/** The endpoints in the log, updated on each read. */
export const webhooksOf = async (wiring: Wiring): Promise<UpToDate<WebhookBook>> =>
  new UpToDate(new WebhookBook(), {
    log: await wiring.log(),
    codec: await wiring.codec(),
    clock: wiring.clock,
    onStrange: (offsets) => wiring.logger.warn({ offsets }, 'webhooks_not_understood'),
  })

/** An endpoint as printed for an operator, without its secrets. */
const shown = (webhook: WebhookChanged) => ({
  id: webhook.webhook_id,
  namespace: webhook.namespace,
  owner: webhook.owner === '' ? null : webhook.owner,
  status: webhook.status,
  disabled_reason: webhook.disabled_reason,
  url: webhook.url,
  events: [...webhook.events],
  created_at: new Date(webhook.created_at).toISOString(),
  updated_at: new Date(webhook.updated_at).toISOString(),
})

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

export async function changeOne(
  wiring: Wiring,
  id: string,
  { status, json, dryRun }: CommandOptions & { readonly status: WebhookStatus },
): Promise<void> {
  const updated_at = wiring.clock.now()
  const disabled_reason = status === 'active' ? null : 'by_operator'
  const become = (found: WebhookChanged): WebhookChanged =>
    found.status === status ? found : { ...found, status, disabled_reason, updated_at }
  const after = (await changed(wiring, { id, dryRun }, become)) ?? throwUnknown(id)
  if (json) wiring.out.json({ ...(dryRun && { dry_run: true }), ...shown(after) })
  else wiring.out.line(`${id} ${dryRun ? 'would be' : 'is now'} ${status}.`)
}

export async function deleteOne(wiring: Wiring, id: string, { json, dryRun }: CommandOptions): Promise<void> {
  await changed(wiring, { id, dryRun }, () => null)
  if (json) wiring.out.json({ ...(dryRun && { dry_run: true }), id, deleted: dryRun !== true })
  else wiring.out.line(`${id} ${dryRun ? 'would be' : 'was'} deleted.`)
}

/** Returns the endpoint after the change, or as it would be with `dryRun`. */
async function changed(
  wiring: Wiring,
  { id, dryRun }: { readonly id: string; readonly dryRun: true | undefined },
  become: (found: WebhookChanged) => WebhookChanged | null,
): Promise<WebhookChanged | null> {
  const known = await webhooksOf(wiring)
  const found = (await known.now()).get(id) ?? throwUnknown(id)
  if (dryRun) return become(found)
  const refusal = (endpoint: WebhookChanged | null): null => (endpoint === null ? throwUnknown(id) : null)
  const ports = { log: await wiring.log(), codec: await wiring.codec(), known }
  return (await changeSetting<WebhookChanged, never>(id, { refusal, become }, ports)).setting
}

function throwUnknown(id: string): never {
  throw new Error(`no webhook endpoint ${id}`)
}
