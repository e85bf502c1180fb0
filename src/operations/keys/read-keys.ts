import { KeyBook, keyState } from '../../api/http/keys/key-book.ts'
import { scopesOf } from '../../api/http/keys/scopes.ts'
import type { KeyChanged } from '../../events/settings.ts'
import type { Wiring } from '../../ports/wiring.ts'

/** Every key in the log, up to its current end. */
export async function readKeys(wiring: Wiring): Promise<KeyBook> {
  const book = new KeyBook()
  const undecodable = await book.catchUp({ log: await wiring.log(), codec: await wiring.codec() })
  if (undecodable.length > 0) wiring.logger.warn({ offsets: undecodable }, 'keys_not_understood')
  return book
}

export function keyOf(book: KeyBook, id: string): KeyChanged {
  const key = book.get(id)
  if (key === null) throw new Error(`no key ${id}`)
  return key
}

export const isoOrNull = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString())

/** A key as printed by the commands, without its hash. */
export const shown = (key: KeyChanged, now: number) => ({
  id: key.key_id,
  tier: key.tier,
  namespace: key.namespace,
  scopes: scopesOf(key),
  curator: scopesOf(key).includes('curate'),
  name: key.name,
  owner: ownerOf(key),
  state: keyState(key, now),
  created_at: isoOrNull(key.created_at),
  expires_at: isoOrNull(key.expires_at),
  revoked_at: isoOrNull(key.revoked_at),
})

/** The id of the first key in its chain of rotations. */
export const ownerOf = ({ owner, key_id }: Pick<KeyChanged, 'owner' | 'key_id'>): string =>
  owner === '' ? key_id : owner

type ShownKey = ReturnType<typeof shown>

const keyLine = ({ id, tier, namespace, state, scopes, name, owner, created_at, expires_at }: ShownKey): string =>
  [
    ...[id, tier.padEnd(12), namespace.padEnd(16), state.padEnd(8), scopes.join(',').padEnd(10), created_at ?? ''],
    ...(expires_at === null ? [] : [`until ${expires_at}`]),
    ...(owner === id ? [] : [`of ${owner}`]),
    name,
  ]
    .join('  ')
    .trimEnd()

export interface KeyListOptions {
  readonly namespace?: string
  readonly live?: true
  readonly json?: true
}

export async function list(wiring: Wiring, { namespace, live, json }: KeyListOptions): Promise<void> {
  const now = wiring.clock.now()
  const keys = (await readKeys(wiring))
    .all()
    .map((key) => shown(key, now))
    .filter((key) => namespace === undefined || key.namespace === namespace)
    .filter(({ state }) => live !== true || state === 'live')
  if (json) wiring.out.json({ keys })
  else if (keys.length > 0) keys.forEach((key) => wiring.out.line(keyLine(key)))
  else
    wiring.out.line(
      (namespace ?? live) ? 'No matching key' : 'No keys. To create one: story keys create --tier starter',
    )
}
