import type { WebhookChanged, WebhookStatus } from '../../events/webhooks.ts'
import { changeWebhook } from '../../state/settings/webhooks.ts'
import type { Wiring } from '../../ports/wiring.ts'
import { webhooksOf } from './read-webhooks.ts'
import { shown, type ChangeOptions } from './webhook-lines.ts'

interface StatusOptions extends ChangeOptions {
  readonly status: WebhookStatus
}

export async function changeOne(wiring: Wiring, id: string, { status, json, dryRun }: StatusOptions): Promise<void> {
  const now = wiring.clock.now()
  const become = (found: WebhookChanged): WebhookChanged =>
    found.status === status
      ? found
      : { ...found, status, disabled_reason: status === 'active' ? null : 'by_operator', updated_at: now }
  const after = (await made(wiring, { id, become, dryRun })) ?? notThere(id)
  if (json) wiring.out.json({ ...(dryRun && { dry_run: true }), ...shown(after) })
  else wiring.out.line(`${id} ${dryRun ? 'would be' : 'is now'} ${status}.`)
}

export async function deleteOne(wiring: Wiring, id: string, { json, dryRun }: ChangeOptions): Promise<void> {
  await made(wiring, { id, become: () => null, dryRun })
  if (json) wiring.out.json({ ...(dryRun && { dry_run: true }), id, deleted: dryRun !== true })
  else wiring.out.line(`${id} ${dryRun ? 'would be' : 'was'} deleted.`)
}

interface WebhookWish {
  readonly id: string
  readonly become: (found: WebhookChanged) => WebhookChanged | null
  readonly dryRun: true | undefined
}

/** As it then is, or would be. */
async function made(wiring: Wiring, { id, become, dryRun }: WebhookWish): Promise<WebhookChanged | null> {
  const known = await webhooksOf(wiring)
  const found = (await known.now()).get(id) ?? notThere(id)
  if (dryRun) return become(found)
  const refusal = (there: WebhookChanged | null): null => (there === null ? notThere(id) : null)
  const ports = { log: await wiring.log(), codec: await wiring.codec(), known }
  const changed = await changeWebhook<never>(id, { refusal, become }, ports)
  return changed.endpoint
}

function notThere(id: string): never {
  throw new Error(`no webhook endpoint ${id}`)
}
