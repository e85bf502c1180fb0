import { Command } from 'commander'
import { pino } from 'pino'
import { beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { aHandMovedClock, A_NOON } from '../../test/builders/api.ts'
import { MemoryLog } from '../adapters/memory-log.ts'
import { PlainCodec } from '../adapters/plain-codec.ts'
import { isKey } from '../api/keys/key.ts'
import { loadConfig } from '../config.ts'
import { keysChanged } from '../events/settings.ts'
import { keysCommand } from './keys.ts'
import type { Wiring } from './wiring.ts'

const unasked = async (): Promise<never> => await Promise.reject(new Error('keys need no such port'))

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
    log: async () => await Promise.resolve(log),
    codec: async () => await Promise.resolve(new PlainCodec()),
    store: unasked,
    encoder: unasked,
    tagger: unasked,
    quickFiles: () => {
      throw new Error('keys need no names')
    },
    close: async () => await Promise.resolve(),
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

describe('story keys', () => {
  it('creates a key, shows it once and lists all but it', async () => {
    const made = await story('create', '--tier', 'professional', '--private', 'acme', '--name', 'Acme', '--json')
    const { key, ...rest } = Created.loose().parse(made)
    const listed = await story('list', '--json')

    expect(isKey(key)).toBe(true)
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
    [['--tier', 'starter', '--private', 'shared'], /everybody/],
    [['--tier', 'starter', '--private', 'Acme'], /3 to 40/],
    [['--tier', 'starter', '--expires', 'soon'], /expected days/],
    [['--tier', 'starter', '--expires', '2016-01-01'], /is over/],
  ])('refuses %j', async (options, reason) => {
    await expect(story('create', ...options)).rejects.toThrow(reason)
    expect(log.records(keysChanged.name)).toEqual([])
  })

  it('a dry run issues nothing', async () => {
    const wish = await story('create', '--tier', 'starter', '--curator', '--dry-run', '--json')

    expect(wish).toMatchObject({ dry_run: true, tier: 'starter', namespace: 'shared', curator: true })
    expect(wish).not.toHaveProperty('key')
    expect(log.records(keysChanged.name)).toEqual([])
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
