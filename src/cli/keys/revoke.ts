import { publishKey } from '../../api/keys/publish-key.ts'
import { keyState, type KeyBook } from '../../api/keys/key-book.ts'
import { SHARED } from '../../events/intake-rules.ts'
import type { KeyChanged } from '../../events/settings.ts'
import type { Wiring } from '../wiring.ts'
import { keyOf, readKeys } from './read-keys.ts'
import { shown } from './shown.ts'

interface Options {
  readonly json?: true
  readonly dryRun?: true
}

export async function revoke(wiring: Wiring, id: string, { json, dryRun }: Options): Promise<void> {
  const now = wiring.clock.now()
  const book = await readKeys(wiring)
  const key = keyOf(book, id)

  const revoked = { ...key, revoked_at: key.revoked_at ?? now }
  const changes = key.revoked_at === null && dryRun !== true
  if (changes) await publishKey(revoked, { log: await wiring.log(), codec: await wiring.codec() })
  if (json) wiring.out.json({ ...(dryRun && { dry_run: true }), ...shown(revoked, now) })
  else wiring.out.line(`${id} ${dryRun ? 'would be' : 'is'} revoked.`)
  if (isLastOfItsOwn(book, key, now)) {
    wiring.out.progress(
      `No other live key for ${key.namespace}. Its data stays, and so does its analyst (story analysts drop ${key.namespace}).\n`,
    )
  }
}

const isLastOfItsOwn = (book: KeyBook, key: KeyChanged, now: number): boolean =>
  key.namespace !== SHARED &&
  !book.all().some((one) => one !== key && one.namespace === key.namespace && keyState(one, now) === 'live')
