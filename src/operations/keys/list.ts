import type { Wiring } from '../../ports/wiring.ts'
import { readKeys } from './read-keys.ts'
import { keyLine, shown } from './key-lines.ts'

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
