import { Command } from 'commander'
import { pino } from 'pino'
import { beforeEach, expect, it } from 'vitest'
import { aCodec, aHandMovedClock, A_NOON, aLog } from '../../test/builders/api.ts'
import { aWebhook, logged } from '../../test/builders/webhooks.ts'
import { createKey, publishKey } from '../operations/keys/create-key.ts'
import { loadConfig } from '../config/config.ts'
import { webhooksChanged, type WebhookChanged } from '../events/webhooks.ts'
import { keysCommand } from './keys.ts'
import { webhooksCommand } from './webhooks.ts'
import { unusedPorts } from '../../test/builders/unused-ports.ts'
import type { Wiring } from '../ports/wiring.ts'

const codec = aCodec()
let log: ReturnType<typeof aLog>
let said: unknown[]
let aside: string

beforeEach(() => {
  log = aLog()
  said = []
  aside = ''
})

async function story(...words: readonly string[]): Promise<unknown> {
  const wiring: Wiring = {
    config: loadConfig({}),
    environment: {},
    clock: aHandMovedClock(),
    logger: pino({ level: 'silent' }),
    out: {
      line: (text) => said.push(text),
      json: (value) => said.push(value),
      progress: (text) => void (aside += text),
    },
    ...unusedPorts,
    log: () => Promise.resolve(log),
    codec: () => Promise.resolve(codec),
  }
  const program = new Command().exitOverride()
  keysCommand(program, wiring)
  webhooksCommand(program, wiring)
  await program.parseAsync([...words], { from: 'user' })
  return said.at(-1)
}

async function key(over: object = {}): Promise<string> {
  const wish = {
    tier: 'starter',
    privateNamespace: null,
    scopes: ['read', 'write'],
    name: '',
    expires_at: null,
    ...over,
  } as const
  const { event } = createKey(wish, A_NOON)
  await publishKey(event, { log, codec })
  return event.key_id
}

async function endpoint(over: Partial<WebhookChanged>): Promise<void> {
  const event = aWebhook(over)
  const value = await codec.encode(webhooksChanged, event)
  await log.produce([{ topic: webhooksChanged.name, key: event.webhook_id, value }])
}

const changes = () => logged({ log, codec }, webhooksChanged)

it('lists the endpoints of everybody, or of a namespace, says who has no live key, and shows no secret', async () => {
  const owner = await key()
  await endpoint({ webhook_id: 'whk_a', owner })
  await endpoint({ webhook_id: 'whk_b', owner: 'key_gone', created_at: A_NOON })
  await endpoint({ webhook_id: 'whk_c', namespace: 'acme', owner: '', created_at: A_NOON + 1 })

  const all = await story('webhooks', 'list', '--json')

  expect(all).toMatchObject({
    webhooks: [
      { id: 'whk_a', owner, has_live_key: true, status: 'active', url: 'https://example.com/hooks' },
      { id: 'whk_b', owner: 'key_gone', has_live_key: false },
      { id: 'whk_c', owner: null, namespace: 'acme', has_live_key: false },
    ],
  })
  expect(JSON.stringify(all)).not.toMatch(/secret|sealed/)
  expect(await story('webhooks', 'list', '--namespace', 'acme', '--json')).toMatchObject({
    webhooks: [{ id: 'whk_c' }],
  })
  await story('webhooks', 'list')
  expect(said).toContainEqual(expect.stringMatching(/^whk_b .*no live key {2}https:/))
})

it('disables, enables and deletes one; --dry-run changes nothing', async () => {
  await endpoint({})
  for (const name of ['disable', 'enable', 'delete']) await story('webhooks', name, 'whk_a', '--dry-run', '--json')
  expect(await changes()).toHaveLength(1)

  const off = await story('webhooks', 'disable', 'whk_a', '--json')
  expect((await changes()).at(-1)).toMatchObject({ status: 'disabled', disabled_reason: 'by_operator' })
  const on = await story('webhooks', 'enable', 'whk_a', '--json')
  expect((await changes()).at(-1)).toMatchObject({ status: 'active', disabled_reason: null })
  const gone = await story('webhooks', 'delete', 'whk_a', '--json')

  expect((await changes()).at(-1)).toBeNull()
  expect([off, on, gone]).toMatchObject([{ status: 'disabled' }, { status: 'active' }, { id: 'whk_a', deleted: true }])
  expect(JSON.stringify([off, on, gone])).not.toMatch(/secret|sealed/)
  await expect(story('webhooks', 'disable', 'whk_a')).rejects.toThrow(/no webhook endpoint whk_a/)
})

it('keys revoke says what is left of the owner, and how to stop it, when the last live key goes', async () => {
  const first = await key()
  const second = await key({ owner: first })
  await endpoint({ webhook_id: 'whk_a', owner: first })
  await endpoint({ webhook_id: 'whk_off', owner: first, status: 'disabled' })
  await endpoint({ webhook_id: 'whk_other', owner: 'key_other' })

  await story('keys', 'revoke', first)
  expect(aside).toBe('')
  await story('keys', 'revoke', second)

  expect(aside).toMatch(/^1 active webhook endpoint of /)
  expect(aside).toContain('story webhooks disable whk_a\n')
  expect(aside).not.toMatch(/whk_o/)
})
