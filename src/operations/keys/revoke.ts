import { publishKey } from './create-key.ts'
import { keyState, type KeyBook } from '../../api/http/keys/key-book.ts'
import { SHARED } from '../../domain/intake/articles.ts'
import type { KeyChanged } from '../../events/settings.ts'
import { hasLiveKey, isOfKey } from '../../state/settings/has-live-key.ts'
import { webhooksOf } from '../webhooks/endpoints.ts'
import type { Wiring } from '../../ports/wiring.ts'
import { keyOf, readKeys, ownerOf, shown } from './read-keys.ts'
import type { CommandOptions } from '../options.ts'

export async function revoke(wiring: Wiring, id: string, { json, dryRun }: CommandOptions): Promise<void> {
  const now = wiring.clock.now()
  const book = await readKeys(wiring)
  const key = keyOf(book, id)

  const revoked = { ...key, revoked_at: key.revoked_at ?? now }
  const changes = key.revoked_at === null && dryRun !== true
  if (changes) await publishKey(revoked, { log: await wiring.log(), codec: await wiring.codec() })
  if (json) wiring.out.json({ ...(dryRun && { dry_run: true }), ...shown(revoked, now) })
  else wiring.out.line(`${id} ${dryRun ? 'would be' : 'was'} revoked.`)
  await printRemaining(wiring, revoked, book)
  if (isLastOfItsOwn(book, key, now)) {
    wiring.out.progress(
      `${key.namespace} has no other live key. Its data and its analyst are kept (to delete the analyst: story analysts drop ${key.namespace}).\n`,
    )
  }
}

const isLastOfItsOwn = (book: KeyBook, key: KeyChanged, now: number): boolean =>
  key.namespace !== SHARED &&
  !book.all().some((one) => one !== key && one.namespace === key.namespace && keyState(one, now) === 'live')

/** Prints the active endpoints that have no live key once this one is revoked. */
async function printRemaining(wiring: Wiring, revoked: KeyChanged, book: KeyBook): Promise<void> {
  const now = wiring.clock.now()
  const others = book.all().filter(({ key_id }) => key_id !== revoked.key_id)
  const left = (await (await webhooksOf(wiring)).now())
    .of(revoked.namespace)
    .filter((webhook) => webhook.status === 'active' && isOfKey(webhook, revoked) && !hasLiveKey(webhook, others, now))
  if (left.length === 0) return
  const endpoints = left.length === 1 ? '1 active webhook endpoint' : `${left.length} active webhook endpoints`
  const commands = left.map(({ webhook_id }) => `  story webhooks disable ${webhook_id}\n`)
  wiring.out.progress(
    `${endpoints} of ${ownerOf(revoked)} without a live key: deliveries stop until there is one. To disable for good:\n` +
      commands.join(''),
  )
}
