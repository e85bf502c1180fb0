import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { printable } from '../cli/config.ts'
import { settingsHere } from '../operations/settings.ts'
import { loadConfig } from './config.ts'
import { LIFECYCLE } from '../domain/lifecycle/lifecycle.ts'

const lifecycleOf = (given?: unknown) =>
  loadConfig({ STORY_HOME: '/nowhere', ...(given === undefined ? {} : { LIFECYCLE: JSON.stringify(given) }) }).lifecycle

describe('the numbers of the lifecycle', () => {
  it('are those decided where nothing is said', () => {
    expect(lifecycleOf()).toEqual(LIFECYCLE)
    expect(lifecycleOf({})).toEqual(LIFECYCLE)
    expect(loadConfig({ STORY_HOME: '/nowhere', LIFECYCLE: '' }).lifecycle).toEqual(LIFECYCLE)
  })

  it('are each what is said, and the others as decided', () => {
    expect(lifecycleOf({ breaking: { origins: 5 }, contested: { leaves: { confidence: 0.4 } } })).toEqual({
      ...LIFECYCLE,
      breaking: { ...LIFECYCLE.breaking, origins: 5 },
      contested: { ...LIFECYCLE.contested, leaves: { controversy: 0.5, confidence: 0.4 } },
    })
  })

  it('can all be said', () => {
    const all = {
      breaking: { youngMs: 1, windowMs: 2, origins: 3 },
      developing: { youngMs: 4, windowMs: 5, shareOfPeak: 0.6 },
      mature: { youngMs: 7 },
      contested: {
        platforms: ['twitter'],
        freshMs: 8,
        activeMs: 9,
        posts: 10,
        enters: { controversy: 0.9, confidence: 0.8 },
        leaves: { controversy: 0.7, confidence: 0.6 },
        aheadMs: 11,
      },
    }
    expect(lifecycleOf(all)).toEqual(all)
    expect(Object.keys(all)).toEqual(Object.keys(LIFECYCLE))
    expect(Object.keys(all.contested)).toEqual(Object.keys(LIFECYCLE.contested))
  })

  it.each([
    [{ breaking: { origins: 0 } }, 'at LIFECYCLE.breaking.origins'],
    [{ mature: { youngMs: '3 days' } }, 'at LIFECYCLE.mature.youngMs'],
    [{ mature: { young: 1 } }, 'Unrecognized key: "young"'],
    [{ developing: { shareOfPeak: 25 } }, 'at LIFECYCLE.developing.shareOfPeak'],
    [{ finished: {} }, 'Unrecognized key: "finished"'],
    [{ contested: { platforms: ['facebook'] } }, 'at LIFECYCLE.contested.platforms[0]'],
    [{ contested: { enters: { controversy: 0.4 } } }, 'at LIFECYCLE.contested.leaves'],
    [[], 'at LIFECYCLE'],
  ])('are refused with what is wrong: %j', (given, message) => {
    expect(() => lifecycleOf(given)).toThrow(message)
  })

  it('are refused where they are no JSON', () => {
    expect(() => loadConfig({ STORY_HOME: '/nowhere', LIFECYCLE: '6 hours' })).toThrow('expected a JSON object')
  })
})

describe('the credentials of public platforms', () => {
  const secrets = {
    ...{
      REDDIT_CLIENT_ID: 'reddit-id',
      REDDIT_CLIENT_SECRET: 'sesame-1',
      REDDIT_USER_AGENT: 'linux:story:1 (by /u/wren)',
    },
    ...{ BLUESKY_IDENTIFIER: 'wren.example', BLUESKY_APP_PASSWORD: 'sesame-2', TWITTER_BEARER_TOKEN: 'sesame-3' },
  }
  const connectors = (env: Readonly<Record<string, string>> = {}) =>
    loadConfig({ STORY_HOME: '/nowhere', ...env }).connectors

  it('switch a connector on only where all of a platform are set', () => {
    expect(connectors()).toMatchObject({ reddit: null, bluesky: null, twitter: null, namespaces: ['shared'] })
    expect(connectors({ ...secrets, REDDIT_USER_AGENT: '', TWITTER_BEARER_TOKEN: '' })).toMatchObject({
      ...{ reddit: null, twitter: null, bluesky: { identifier: 'wren.example', url: 'https://bsky.social' } },
    })
    expect(connectors(secrets)).toMatchObject({
      reddit: { clientId: 'reddit-id', authUrl: 'https://www.reddit.com', apiUrl: 'https://oauth.reddit.com' },
      twitter: { url: 'https://api.x.com', postsPerMonth: 10_000 },
    })
  })

  it('are not printed with the configuration', () => {
    const shown = JSON.stringify(printable(loadConfig({ STORY_HOME: '/nowhere', ...secrets })))

    expect(shown).toContain('"identifier":"wren.example"')
    expect(shown).not.toContain('sesame')
  })
})

describe('the mail server', () => {
  const url = 'smtps://wren:sesame@mail.example.com:465'
  const configured = (more: Readonly<Record<string, string>>) => loadConfig({ STORY_HOME: '/nowhere', ...more })

  it('is used if a sender is set too', () => {
    expect(configured({ SMTP_URL: url }).mail).toBeNull()
    expect(configured({ SMTP_URL: url, MAIL_FROM: 'Stories <stories@example.com>' }).mail).toEqual({
      ...{ url, from: 'Stories <stories@example.com>' },
    })
  })

  it.each([{ SMTP_URL: 'https://wren:sesame@mail.example.com' }, { MAIL_FROM: 'sesame\r\nBcc: x@example.com' }])(
    'is refused without its value: %o',
    (wrong) => {
      expect(() => configured(wrong)).toThrow(/at (SMTP_URL|MAIL_FROM)/)
      expect(() => configured(wrong)).not.toThrow(/sesame/)
    },
  )

  it('is not printed', () => {
    expect(JSON.stringify(printable(configured({ SMTP_URL: url, MAIL_FROM: 'stories@example.com' })))).not.toContain(
      'sesame',
    )
  })

  it('links to PUBLIC_URL, by default to the port of the API', () => {
    expect(configured({ PORT: '8099' }).http.publicUrl).toBe('http://127.0.0.1:8099')
    expect(configured({ PUBLIC_URL: 'https://news.example.com/' }).http.publicUrl).toBe('https://news.example.com')
  })
})

describe('the way into Kafka and the registry', () => {
  const configured = (more: Readonly<Record<string, string>>) => loadConfig({ STORY_HOME: '/nowhere', ...more })
  const login = { KAFKA_USER: 'story', KAFKA_PASSWORD: 'of kafka' }

  it('is open where nothing is said', () => {
    expect(configured({ KAFKA_BROKERS: 'a:1,b:2' }).kafka).toEqual({ brokers: ['a:1', 'b:2'] })
    expect(configured({ REGISTRY_URL: 'http://r' }).registry).toEqual({ url: 'http://r' })
  })

  it('is TLS, a login, or both', () => {
    expect(configured({ KAFKA_TLS: '1' }).kafka).toMatchObject({ ssl: true })
    const sasl = { mechanism: 'scram-sha-512', username: 'story', password: 'of kafka' }
    expect(configured({ KAFKA_SASL: 'scram-sha-512', ...login }).kafka).toMatchObject({ sasl })
    const auth = { username: 'story', password: 'of the registry' }
    expect(configured({ REGISTRY_USER: 'story', REGISTRY_PASSWORD: auth.password }).registry).toMatchObject({ auth })
  })

  it('shows no secret of a store', () => {
    const CLICKHOUSE_STORES = JSON.stringify([{ name: 'a', url: 'http://a:8123', password: 'sesame' }])
    const { stores, ...config } = configured({ CLICKHOUSE_STORES })

    expect(stores).toMatchObject([{ name: 'a', user: 'story', password: 'sesame', namespaces: null }])
    expect(JSON.stringify(printable({ ...config, stores }))).not.toContain('sesame')
    expect(JSON.stringify(settingsHere({ STORY_HOME: '/nowhere', CLICKHOUSE_STORES }))).not.toContain('sesame')
  })

  it('reaches a shard on the port of the native protocol, unless another is set', () => {
    const shards = [{ url: 'https://a:8443' }, { url: 'https://d:8443', native: 'd:9441' }]
    const CLICKHOUSE_STORES = JSON.stringify([{ name: 'a', url: 'https://a:8443', shards }])

    expect(configured({ CLICKHOUSE_STORES }).stores[0]?.shards.map(({ native }) => native)).toEqual([
      'a:9440',
      'd:9441',
    ])
    expect(configured({}).stores[0]?.shards).toEqual([])
  })

  it.each([
    ['{"name":"a"}', 'at CLICKHOUSE_STORES'],
    ['[{"name":"A","url":"http://a"}]', 'a name is [a-z][a-z0-9-]{0,30}'],
    ['[{"name":"a","url":"http://a"},{"name":"a","url":"http://b"}]', 'two stores have the same name'],
    ['[{"name":"a","url":"http://a"},{"name":"b","url":"http://a/"}]', 'the same server and database'],
    ['[{"name":"a","url":"http://wren:sesame@a"}]', 'set `user` and `password`'],
    ['[{"name":"a","url":"http://a","namespaces":["acme"]}]', 'must hold all namespaces'],
    ['[{"name":"a","url":"http://a","namespaces":["acme"],"except":["wren"]}]', 'cannot be combined'],
    ['[{"name":"a","url":"http://a","shards":[{"url":"http://a"},{"url":"http://a:1"}]}]', 'two shards are the same'],
    ['[{"name":"a","url":"http://a","shards":[{"url":"http://a"},{"url":"https://b"}]}]', 'all alike'],
    ['[{"name":"a","url":"http://a","shards":[{"url":"http://a"},{"url":"http://b","native":"b"}]}]', 'HOST:PORT'],
  ])('refuses CLICKHOUSE_STORES=%s', (CLICKHOUSE_STORES, problem) => {
    expect(() => configured({ CLICKHOUSE_STORES })).toThrow(problem)
  })

  it('shows no secret', () => {
    const folder = mkdtempSync(join(tmpdir(), 'story-config-'))
    const [KAFKA_TLS_CERT_FILE, KAFKA_TLS_KEY_FILE] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
    writeFileSync(KAFKA_TLS_CERT_FILE, '-----BEGIN CERTIFICATE-----\nours')
    writeFileSync(KAFKA_TLS_KEY_FILE, 'Bag Attributes\n-----BEGIN PRIVATE KEY-----\nnobody else')
    const files = { KAFKA_TLS: '1', KAFKA_TLS_CERT_FILE, KAFKA_TLS_KEY_FILE }
    const config = configured({ ...files, KAFKA_SASL: 'plain', ...login, REGISTRY_USER: 'r', REGISTRY_PASSWORD: 'xyz' })
    rmSync(folder, { recursive: true })
    expect(config.kafka.ssl).toMatchObject({ key: expect.stringContaining('nobody else') as string })
    expect(JSON.stringify(printable(config))).not.toMatch(/nobody else|of kafka|xyz/)
  })

  it.each([
    [{ KAFKA_SASL: 'plain', ...login }, 'set KAFKA_TLS to 1'],
    [{ KAFKA_SASL: 'scram-sha-256', KAFKA_USER: 'story' }, 'KAFKA_USER and KAFKA_PASSWORD have to be set'],
    [login, 'no KAFKA_SASL'],
    [{ KAFKA_SASL: 'gssapi' }, 'at KAFKA_SASL'],
    [{ KAFKA_TLS_CA_FILE: '/nowhere/ca.pem' }, 'KAFKA_TLS is not 1'],
    [{ KAFKA_TLS: '1', KAFKA_TLS_CA_FILE: '/nowhere/ca.pem' }, 'KAFKA_TLS_CA_FILE: /nowhere/ca.pem cannot be read'],
    [
      { KAFKA_TLS: '1', KAFKA_TLS_KEY_FILE: '/nowhere/key.pem' },
      'KAFKA_TLS_CERT_FILE and KAFKA_TLS_KEY_FILE go together',
    ],
    [{ REGISTRY_USER: 'story' }, 'REGISTRY_USER and REGISTRY_PASSWORD go together'],
  ])('is refused with what is wrong: %j', (given, message) => {
    expect(() => configured(given as Readonly<Record<string, string>>)).toThrow(message)
  })
})
