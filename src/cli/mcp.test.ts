import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { loadConfig } from '../config/config.ts'
import { openSecrets } from '../engines/secrets.ts'
import { restOf, serviceOf } from './mcp.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'story-mcp-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const configOf = (env: Record<string, string> = {}) => loadConfig({ STORY_HOME: home, ...env })

/** A `story up` of the home, with its demo key. */
function running(): void {
  writeFileSync(join(home, 'running.json'), JSON.stringify({ PORT: '8085', settings: {} }))
  openSecrets(home).set('demo_key', 'pk_demo')
}

describe('the service that tools are served from', () => {
  it('is the running one of the home, with its demo key', () => {
    running()

    expect(serviceOf({}, configOf())).toEqual({ url: 'http://127.0.0.1:8085', key: 'pk_demo' })
    expect(serviceOf({}, configOf({ HOST: '0.0.0.0' })).url).toBe('http://127.0.0.1:8085')
  })

  it('has the key of the environment, or of the command', () => {
    running()

    expect(serviceOf({}, configOf({ STORY_KEY: 'pk_env' })).key).toBe('pk_env')
    expect(serviceOf({ key: 'pk_given' }, configOf({ STORY_KEY: 'pk_env' })).key).toBe('pk_given')
  })

  it('is another one by --url, or by STORY_URL if none is running', () => {
    const config = configOf({ STORY_URL: 'https://news.example/', STORY_KEY: 'pk_env' })

    expect(serviceOf({}, config)).toEqual({ url: 'https://news.example', key: 'pk_env' })
    expect(serviceOf({ url: 'http://other.example' }, config).url).toBe('http://other.example')
  })

  it('never receives the demo key of a home that is not its own', () => {
    running()

    expect(() => serviceOf({ url: 'https://news.example' }, configOf())).toThrow('No API key for https://news.example')
  })

  it('must be running or given', () => {
    expect(() => serviceOf({}, configOf())).toThrow('Start it with `story up`, or give its address with --url')
  })
})

describe('requests', () => {
  it('are sent with the key', async () => {
    const server = createServer((request, response) =>
      response.end(JSON.stringify({ url: request.url, authorization: request.headers.authorization })),
    )
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

    expect(await restOf({ url, key: 'pk_x' })('/v1/stories?limit=1')).toEqual({
      status: 200,
      body: { url: '/v1/stories?limit=1', authorization: 'Bearer pk_x' },
    })
    server.close()
  })

  it('to a service that does not respond are a problem, not an error', async () => {
    expect(await restOf({ url: 'http://127.0.0.1:1', key: 'pk_x' })('/v1/stories')).toEqual({
      status: 503,
      body: { code: 'unavailable', detail: 'No service responds at http://127.0.0.1:1' },
    })
  })
})
