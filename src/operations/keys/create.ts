import { messageOf } from '../../domain/message-of.ts'
import { createKey, type KeyRequest, publishKey } from './create-key.ts'
import type { Analyst } from '../../engines/analysts/analysts.ts'
import type { KeyChanged, Tier } from '../../events/settings.ts'
import { DEFAULT_SCOPES, type Scope, SCOPES } from '../../api/http/keys/scopes.ts'
import { analystsOf } from '../analysts.ts'
import type { Wiring } from '../../ports/wiring.ts'
import { type CommandOptions, expiry } from '../options.ts'
import { readKeys, isoOrNull, shown } from './read-keys.ts'

export interface CreateOptions extends CommandOptions {
  readonly tier: Tier
  readonly private?: string
  /** Default: `DEFAULT_SCOPES`. */
  readonly scopes?: readonly Scope[]
  /** Only the scope `read`. */
  readonly readOnly?: true
  /** Adds the scope `curate`. */
  readonly curator?: true
  readonly expires?: string
  readonly name: string
  /** False with `--no-analyst`. */
  readonly analyst: boolean
}

export async function create(wiring: Wiring, options: CreateOptions): Promise<void> {
  const now = wiring.clock.now()
  const { key, event } = createKey(keyRequest(options, now), now)
  if (options.dryRun) {
    printPlan(wiring, event, options)
    return
  }

  const isFirstKey = options.private !== undefined && options.analyst && (await isFirstOf(wiring, options.private))
  await publishKey(event, { log: await wiring.log(), codec: await wiring.codec() })
  const analyst = isFirstKey ? await ownAnalyst(wiring, event.namespace) : null
  if (options.json) wiring.out.json({ key, ...shown(event, now), ...(isFirstKey && { analyst }) })
  else {
    wiring.out.line(key)
    wiring.out.progress(
      `${event.key_id}: ${event.tier}, ${event.namespace}, ${event.scopes.join(', ')}. The key is not shown again.\n`,
    )
    if (analyst !== null) printAnalyst(wiring, analyst)
  }
}

const keyRequest = (options: CreateOptions, now: number): KeyRequest => ({
  tier: options.tier,
  name: options.name,
  scopes: requestedScopes(options),
  privateNamespace: options.private ?? null,
  expires_at: options.expires === undefined ? null : expiry(options.expires, now),
})

const READ_ONLY: readonly Scope[] = ['read']

function requestedScopes({ readOnly, curator, ...options }: CreateOptions): readonly Scope[] {
  const scopes = readOnly === true ? READ_ONLY : (options.scopes ?? DEFAULT_SCOPES)
  return SCOPES.filter((scope) => scopes.includes(scope) || (scope === 'curate' && curator === true))
}

function printPlan({ out }: Wiring, event: KeyChanged, { json }: CreateOptions): void {
  const { tier, namespace, scopes, curator, name, expires_at } = event
  if (json) out.json({ dry_run: true, tier, namespace, scopes, curator, name, expires_at: isoOrNull(expires_at) })
  else out.line(`Would create a ${tier} key for ${namespace} with the scopes ${scopes.join(', ')}.`)
}

const isFirstOf = async (wiring: Wiring, namespace: string): Promise<boolean> =>
  !(await readKeys(wiring)).all().some((key) => key.namespace === namespace)

/** `null` if the namespace has an analyst, or if the store cannot create one now; the key works without it. */
async function ownAnalyst(wiring: Wiring, namespace: string): Promise<Analyst | null> {
  try {
    const analysts = await analystsOf(wiring)
    return (await analysts.has(namespace)) ? null : await analysts.put(namespace)
  } catch (cause) {
    const why = messageOf(cause)
    wiring.out.progress(`No analyst was created (${why}). To create it later: story analysts create ${namespace}\n`)
    return null
  }
}

const printAnalyst = ({ out }: Wiring, { user, password, url, database }: Analyst): void =>
  out.progress(`Analyst (not shown again): ${url}, database ${database}, user ${user}, password ${password}\n`)
