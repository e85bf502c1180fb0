import { type Command, InvalidArgumentError, Option } from 'commander'
import { createKey, privateNamespaceProblem } from '../api/keys/create-key.ts'
import { KeyBook, keyState } from '../api/keys/key-book.ts'
import { publishKey } from '../api/keys/publish-key.ts'
import { parseMoment } from '../events/intake-rules.ts'
import type { KeyChanged, Tier } from '../events/settings.ts'
import type { Wiring } from './wiring.ts'

interface Common {
  readonly json?: true
  readonly dryRun?: true
}

interface CreateOptions extends Common {
  readonly tier: Tier
  readonly private?: string
  readonly curator?: true
  readonly expires?: string
  readonly name: string
}

export const keysCommand = (program: Command, wiring: Wiring): void => {
  const keys = program.command('keys').description('API keys: only their hash is kept, a key is shown once')
  keys
    .command('create')
    .description('issue a key')
    .addOption(tierOption())
    .option('--private <namespace>', 'for a namespace of its own: [a-z0-9-]{3,40}', privateNamespace)
    .option('--curator', 'may correct stories of the shared namespace')
    .option('--expires <when>', 'after so many days (30d), or at a date')
    .option('--name <name>', 'whose it is, or what for', '')
    .option('--json', 'one JSON object')
    .option('--dry-run', 'check the wish, issue nothing')
    .action(async (options: CreateOptions) => await create(wiring, options))
  keys
    .command('list')
    .description('every key, oldest first')
    .option('--json', 'one JSON object')
    .action(async (options: Common) => await list(wiring, options))
  keys
    .command('revoke')
    .description('refuse a key everywhere within five seconds')
    .argument('<id>', 'its id, as `keys list` shows it')
    .option('--json', 'one JSON object')
    .option('--dry-run', 'only say what would be revoked')
    .action(async (id: string, options: Common) => await revoke(wiring, id, options))
}

const tierOption = (): Option =>
  new Option('--tier <tier>', 'what it may call, and how often')
    .choices(['starter', 'professional', 'enterprise'])
    .makeOptionMandatory()

function privateNamespace(name: string): string {
  const problem = privateNamespaceProblem(name)
  if (problem !== null) throw new InvalidArgumentError(problem)
  return name
}

async function create(wiring: Wiring, options: CreateOptions): Promise<void> {
  const now = wiring.clock.now()
  const expires_at = options.expires === undefined ? null : expiry(options.expires, now)
  const { tier, name, curator = false, private: privateNamespace = null } = options
  const { key, event } = createKey({ tier, name, curator, privateNamespace, expires_at }, now)
  if (options.dryRun) {
    const wish = { tier, namespace: event.namespace, curator, name, expires_at: isoOrNull(expires_at) }
    if (options.json) wiring.out.json({ dry_run: true, ...wish })
    else wiring.out.line(`Would issue a ${tier} key for ${event.namespace}.`)
    return
  }

  await publishKey(event, { log: await wiring.log(), codec: await wiring.codec() })
  if (options.json) wiring.out.json({ key, ...shown(event, now) })
  else {
    wiring.out.line(key)
    wiring.out.progress(`${event.key_id}: ${tier}, ${event.namespace}. The key is shown this once.\n`)
  }
}

const DAY_MS = 86_400_000

function expiry(text: string, now: number): number {
  const days = /^([1-9]\d{0,4})d$/.exec(text)?.[1]
  const at = days === undefined ? parseMoment(text) : now + Number(days) * DAY_MS
  if (at === null) throw new Error(`--expires ${text}: expected days (30d) or a date (2027-01-31)`)
  if (at <= now) throw new Error(`--expires ${text} is over`)
  return at
}

async function list(wiring: Wiring, { json }: Common): Promise<void> {
  const now = wiring.clock.now()
  const keys = (await readKeys(wiring)).all().map((key) => shown(key, now))
  if (json) wiring.out.json({ keys })
  else if (keys.length === 0) wiring.out.line('No key yet: story keys create --tier starter')
  else keys.forEach((key) => wiring.out.line(keyLine(key)))
}

async function revoke(wiring: Wiring, id: string, { json, dryRun }: Common): Promise<void> {
  const now = wiring.clock.now()
  const key = (await readKeys(wiring)).get(id)
  if (key === null) throw new Error(`no key ${id}`)

  const revoked = { ...key, revoked_at: key.revoked_at ?? now }
  const changes = key.revoked_at === null && dryRun !== true
  if (changes) await publishKey(revoked, { log: await wiring.log(), codec: await wiring.codec() })
  if (json) wiring.out.json({ ...(dryRun && { dry_run: true }), ...shown(revoked, now) })
  else wiring.out.line(`${id} ${dryRun ? 'would be' : 'is'} revoked.`)
}

async function readKeys(wiring: Wiring): Promise<KeyBook> {
  const book = new KeyBook()
  const strange = await book.catchUp({ log: await wiring.log(), codec: await wiring.codec() })
  if (strange.length > 0) wiring.logger.warn({ offsets: strange }, 'keys_not_understood')
  return book
}

const isoOrNull = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString())

type ShownKey = ReturnType<typeof shown>

/** A key on the wire: never its hash. */
const shown = (key: KeyChanged, now: number) => ({
  id: key.key_id,
  tier: key.tier,
  namespace: key.namespace,
  curator: key.curator,
  name: key.name,
  state: keyState(key, now),
  created_at: isoOrNull(key.created_at),
  expires_at: isoOrNull(key.expires_at),
  revoked_at: isoOrNull(key.revoked_at),
})

const keyLine = ({ id, tier, namespace, state, name, created_at }: ShownKey): string =>
  [id, tier.padEnd(12), namespace.padEnd(16), state.padEnd(8), created_at ?? '', name].join('  ').trimEnd()
