import { Command } from 'commander'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '../adapters/clock.ts'
import { loadConfig } from '../config/config.ts'
import { unusedPorts } from '../../test/builders/unused-ports.ts'
import type { Wiring } from '../ports/wiring.ts'
import { feedsCommand } from './feeds.ts'

const DAY_MS = 86_400_000

let folder: string
let server: Server
let said: unknown[]
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'story-feeds-'))
  said = []
  server = createServer((request, response) => {
    const days = request.url === '/fresh' ? 1 : request.url === '/old' ? 90 : null
    response.writeHead(days === null ? 404 : 200, { 'content-type': 'application/rss+xml' })
    response.end(days === null ? '' : rss(new Date(systemClock.now() - days * DAY_MS)))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
})
afterEach(() => {
  server.close()
  rmSync(folder, { recursive: true, force: true })
})

const rss = (date: Date): string =>
  `<rss version="2.0"><channel><title>Example Times</title><item><title>One</title><link>https://times.example/1</link><description>Text</description><pubDate>${date.toUTCString()}</pubDate></item></channel></rss>`
const at = (path: string): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`

async function story(...words: readonly string[]): Promise<void> {
  const environment = { STORY_HOME: folder, FEEDS_ALLOW_PRIVATE_ADDRESSES: '1', FEEDS_HOST_DELAY_SECONDS: '0' }
  const wiring: Wiring = {
    ...{ config: loadConfig(environment), environment, clock: systemClock, logger: pino({ level: 'silent' }) },
    out: { line: (text) => said.push(text), json: (value) => said.push(value), progress: () => undefined },
    ...unusedPorts,
  }
  const program = new Command().exitOverride()
  feedsCommand(program, wiring)
  await program.parseAsync(['feeds', ...words], { from: 'user' })
}

function opml(...paths: readonly string[]): string {
  const file = join(folder, 'list.opml')
  const outlines = paths.map((path) => `<outline xmlUrl="${at(path)}"/>`).join('')
  writeFileSync(file, `<opml version="2.0"><body>${outlines}</body></opml>`)
  return file
}

describe('story feeds test --opml', () => {
  it('marks dead feeds and quiet ones, lists dead ones last, counts them and fails', async () => {
    await expect(story('test', '--opml', opml('/gone', '/fresh', '/old'))).rejects.toThrow(
      '1 of 3 addresses give no feed',
    )

    expect(said).toEqual([
      expect.stringMatching(new RegExp(`^ok {4}${at('/fresh')} .*Example Times$`)),
      expect.stringMatching(new RegExp(`^quiet ${at('/old')} `)),
      expect.stringMatching(new RegExp(`^dead {2}${at('/gone')} .*404`)),
      '3 addresses: 1 ok, 1 quiet (no item for 30 days), 1 dead',
    ])
  })

  it('--json has the state of each', async () => {
    await story('test', '--json', '--opml', opml('/fresh', '/old'))

    expect(said).toMatchObject([
      { state: 'ok', quiet_days: 1 },
      { state: 'quiet', quiet_days: 90 },
    ])
  })
})
