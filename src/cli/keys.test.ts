import { Command } from 'commander'
import { pino } from 'pino'
import { beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { aHandMovedClock, A_NOON } from '../../test/builders/api.ts'
import { MemoryLog } from '../adapters/memory-log.ts'
import { PlainCodec } from '../adapters/plain-codec.ts'
import { isKey } from '../api/http/keys/key.ts'
import { loadConfig } from '../config/config.ts'
import { keysChanged } from '../events/settings.ts'
import { keysCommand } from './keys.ts'
import { unusedPorts } from '../../test/builders/unused-ports.ts'
import type { Wiring } from '../ports/wiring.ts'

let log: MemoryLog
let said: unknown[]
let clock: ReturnType<typeof aHandMovedClock>

beforeEach(() => {
  log = new MemoryLog()
  said = []
  clock = aHandMovedClock()
})

async function story(...words: readonly string[]): Promise<unknown> {
  const wiring: Wiring = {
    config: loadConfig({}),
    environment: {},
    clock,
    logger: pino({ level: 'silent' }),
    out: { line: (text) => said.push(text), json: (value) => said.push(value), progress: () => undefined },
    ...unusedPorts,
    log: () => Promise.resolve(log),
    codec: () => Promise.resolve(new PlainCodec()),
  }
  const quiet = { writeErr: () => undefined, writeOut: () => undefined }
  const program = new Command().exitOverride().configureOutput(quiet)
  keysCommand(program, wiring)
  program.commands.forEach((command) => {
    command.exitOverride().configureOutput(quiet)
    command.commands.forEach((sub) => sub.exitOverride().configureOutput(quiet))
  })
  await program.parseAsync(['keys', ...words], { from: 'user' })
  return said.at(-1)
}

const Created = z.object({ key: z.string(), id: z.string(), tier: z.string(), namespace: z.string() })
const Listed = z.object({ keys: z.array(z.looseObject({ id: z.string(), state: z.string() })) })

const create = async (...words: readonly string[]) => Created.loose().parse(await story('create', ...words, '--json'))
const keyOf = async (id: string) => Listed.parse(await story('list', '--json')).keys.find((key) => key.id === id)
const DAY_MS = 86_400_000
const after = (ms: number) => new Date(A_NOON + ms).toISOString()

describe('story keys', () => {
  it('creates a key, shows it once and lists all but it', async () => {
    const made = await story('create', '--tier', 'professional', '--private', 'acme', '--name', 'Acme', '--json')
    const { key, analyst, ...rest } = Created.loose().parse(made)
    const listed = await story('list', '--json')

    expect(isKey(key)).toBe(true)
    expect(analyst).toBeNull() // the store is not available here, but the key is valid
    expect(rest).toMatchObject({
      tier: 'professional',
      namespace: 'acme',
      name: 'Acme',
      state: 'live',
      expires_at: null,
    })
    expect(listed).toEqual({ keys: [rest] })
    expect(JSON.stringify(listed)).not.toMatch(/pk_live|hash/)
  })

  it('says only the key where one asks for no JSON', async () => {
    expect(isKey(z.string().parse(await story('create', '--tier', 'starter')))).toBe(true)
  })

  it.each([
    ['30d', '2016-06-02T12:00:00.000Z'],
    ['2016-12-31', '2016-12-31T00:00:00.000Z'],
  ])('ends after %s', async (when, expires_at) => {
    expect(await story('create', '--tier', 'starter', '--expires', when, '--json')).toMatchObject({ expires_at })
  })

  it.each([
    [['--tier', 'gold'], /choices/],
    [[], /required option/],
    [['--tier', 'starter', '--scopes', 'read,admin'], /No scope "admin". Scopes: read, write, curate, sources/],
    [['--tier', 'starter', '--scopes', ''], /No scope ""/],
    [['--tier', 'starter', '--read-only', '--scopes', 'write'], /cannot be used with option '--scopes/],
    [['--tier', 'starter', '--read-only', '--curator'], /cannot be used with option '--curator/],
    [['--tier', 'starter', '--private', 'shared'], /everybody/],
    [['--tier', 'starter', '--private', 'Acme'], /3 to 40/],
    [['--tier', 'starter', '--expires', 'soon'], /expected days/],
    [['--tier', 'starter', '--expires', '2016-01-01'], /is in the past/],
  ])('refuses %j', async (options, reason) => {
    await expect(story('create', ...options)).rejects.toThrow(reason)
    expect(log.records(keysChanged.name)).toEqual([])
  })

  it('a dry run issues nothing', async () => {
    const wish = await story('create', '--tier', 'starter', '--curator', '--dry-run', '--json')

    expect(wish).toMatchObject({ dry_run: true, tier: 'starter', namespace: 'shared', curator: true })
    expect(wish).toMatchObject({ scopes: ['read', 'write', 'curate'] })
    expect(wish).not.toHaveProperty('key')
    expect(log.records(keysChanged.name)).toEqual([])
  })

  it.each([
    [[], ['read', 'write'], false],
    [['--curator'], ['read', 'write', 'curate'], true],
    [['--read-only'], ['read'], false],
    [['--scopes', 'read'], ['read'], false],
    [['--scopes', 'sources, read,write'], ['read', 'write', 'sources'], false],
    [['--scopes', 'read', '--scopes', 'curate'], ['read', 'curate'], true],
    [['--scopes', 'read', '--curator'], ['read', 'curate'], true],
  ])('%j gives the scopes %j', async (words, scopes, curator) => {
    const { id } = Created.parse(await story('create', '--tier', 'starter', ...words, '--json'))

    expect(await keyOf(id)).toMatchObject({ scopes, curator })
    expect(Created.loose().parse(await story('rotate', id, '--json'))).toMatchObject({ scopes, curator })
  })

  it('revokes by id, once', async () => {
    const { id } = Created.parse(await story('create', '--tier', 'starter', '--json'))
    await story('revoke', id, '--dry-run')
    expect(log.records(keysChanged.name)).toHaveLength(1)

    await clock.advance(60_000)
    const revoked = await story('revoke', id, '--json')
    await clock.advance(60_000)
    await story('revoke', id)

    expect(revoked).toMatchObject({ id, state: 'revoked', revoked_at: new Date(A_NOON + 60_000).toISOString() })
    expect(log.records(keysChanged.name)).toHaveLength(2)
    expect(Listed.parse(await story('list', '--json')).keys[0]).toMatchObject({ id, state: 'revoked' })
    await expect(story('revoke', 'key_unknown')).rejects.toThrow(/no key key_unknown/)
  })
})

describe('story keys list', () => {
  it('shows those of one namespace, and those that still open something', async () => {
    const mine = await create('--tier', 'starter', '--private', 'acme')
    const ended = await create('--tier', 'starter', '--private', 'acme', '--expires', '1d')
    await create('--tier', 'starter')
    await clock.advance(DAY_MS)
    const ids = async (...words: readonly string[]) =>
      Listed.parse(await story('list', '--json', ...words)).keys.map(({ id }) => id)

    expect(await ids('--namespace', 'acme')).toEqual(expect.arrayContaining([mine.id, ended.id]))
    expect(await ids('--namespace', 'acme')).toHaveLength(2)
    expect(await ids('--namespace', 'acme', '--live')).toEqual([mine.id])
    expect(await ids('--namespace', 'nobody')).toEqual([])
  })

  it('says in a line what a key may do, until when it is good, and which one it followed', async () => {
    const { id } = await create('--tier', 'starter', '--name', 'Ann', '--expires', '30d')
    await story('rotate', id)

    said = []
    await story('list')

    expect(said.join('\n')).toMatch(
      new RegExp(`read,write .*until .*Ann\\n.*until .* of ${id}  Ann$|of ${id}  Ann\\n.*until .*Ann$`),
    )
  })
})

describe('story keys rotate', () => {
  it('issues the same right under a new key; the old one is good for a week more', async () => {
    const words = ['--tier', 'professional', '--private', 'acme', '--curator', '--name', 'Acme']
    const old = await create(...words)
    await clock.advance(1_000)
    const next = Created.loose().parse(await story('rotate', old.id, '--json'))

    expect(isKey(next.key)).toBe(true)
    expect(next.key).not.toBe(old.key)
    expect(next).toMatchObject({
      tier: 'professional',
      namespace: 'acme',
      curator: true,
      name: 'Acme',
      owner: old.id,
      state: 'live',
      expires_at: null,
      rotated_from: { id: old.id, ends_at: after(1_000 + 7 * DAY_MS) },
    })
    expect(await keyOf(old.id)).toMatchObject({ state: 'live', owner: old.id, expires_at: after(1_000 + 7 * DAY_MS) })
    await clock.advance(7 * DAY_MS)
    expect(await keyOf(old.id)).toMatchObject({ state: 'expired' })
  })

  it('keeps the first key as owner through all rotations', async () => {
    const first = await create('--tier', 'starter')
    await clock.advance(1)
    const second = Created.parse(await story('rotate', first.id, '--json'))
    await clock.advance(1)

    expect(await story('rotate', second.id, '--json')).toMatchObject({ owner: first.id })
  })

  it('revokes the old key at once where no overlap is wanted', async () => {
    const { id } = await create('--tier', 'starter')
    await story('rotate', id, '--overlap', '0')

    expect(await keyOf(id)).toMatchObject({ state: 'revoked', revoked_at: after(0) })
  })

  it.each([
    [['--expires', '2d', '--overlap', '7d'], 2 * DAY_MS],
    [['--expires', '30d', '--overlap', '12h'], DAY_MS / 2],
  ])('never lengthens the old key: %j', async ([flag = '', expires = '', ...overlap], endsAfter) => {
    const { id } = await create('--tier', 'starter', flag, expires)

    expect(await story('rotate', id, ...overlap, '--json')).toMatchObject({
      rotated_from: { ends_at: after(endsAfter) },
    })
  })

  it('gives a key that was made to end one of the same length, or the end that is asked for', async () => {
    const { id } = await create('--tier', 'starter', '--expires', '30d')
    const other = await create('--tier', 'starter', '--expires', '30d')
    await clock.advance(10 * DAY_MS)

    expect(await story('rotate', id, '--json')).toMatchObject({ expires_at: after(40 * DAY_MS) })
    expect(await story('rotate', other.id, '--expires', '1d', '--json')).toMatchObject({
      expires_at: after(11 * DAY_MS),
    })
  })

  it.each([
    ['revoked', (id: string) => story('revoke', id)],
    ['expired', () => clock.advance(2 * DAY_MS)],
  ])('refuses a key that is %s', async (state, end) => {
    const { id } = await create('--tier', 'starter', '--expires', '1d')
    await end(id)

    await expect(story('rotate', id)).rejects.toThrow(`${id} is ${state}: issue a new key`)
  })

  it('refuses a key whose place another has taken, until that one is revoked', async () => {
    const { id } = await create('--tier', 'starter')
    await clock.advance(1)
    const next = Created.parse(await story('rotate', id, '--json'))

    await expect(story('rotate', id)).rejects.toThrow(`${next.id} replaced it`)
    await story('revoke', next.id)
    expect(await story('rotate', id, '--json')).toMatchObject({ owner: id, state: 'live' })
  })

  it.each([
    [['--overlap', 'soon'], /expected days, hours or minutes/],
    [['--overlap', '-1d'], /expected days/],
    [['--overlap', '91d'], /90 days at most/],
    [['--expires', '2016-01-01'], /is in the past/],
  ])('refuses %j and changes nothing', async (words, reason) => {
    const { id } = await create('--tier', 'starter')

    await expect(story('rotate', id, ...words)).rejects.toThrow(reason)
    expect(log.records(keysChanged.name)).toHaveLength(1)
  })

  it('a dry run changes nothing and shows no key', async () => {
    const { id } = await create('--tier', 'starter')
    const wish = await story('rotate', id, '--dry-run', '--json')

    expect(wish).toMatchObject({ dry_run: true, owner: id, rotated_from: { id } })
    expect(JSON.stringify(wish)).not.toContain('pk_live')
    expect(log.records(keysChanged.name)).toHaveLength(1)
    await expect(story('rotate', 'key_unknown')).rejects.toThrow(/no key key_unknown/)
  })
})
