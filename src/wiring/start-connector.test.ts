import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { aRunning } from '../../test/builders/running.ts'
import { loadConfig } from '../config/config.ts'
import { ROLES } from './roles.ts'
import { CONNECTORS, platformOf, startConnector } from './start-connector.ts'
import type { StartedProcess } from './started-process.ts'

const TOKEN = { TWITTER_BEARER_TOKEN: 'sesame' }

/** A process that can start a connector, with its log lines and the names of what it opened. */
function aProcess(env: Readonly<Record<string, string>>) {
  const lines: string[] = []
  const opened: string[] = []
  const logger = pino({ level: 'info' }, { write: (line: string) => lines.push(line) })
  const started = {
    wiring: { config: loadConfig({ STORY_HOME: '/nowhere', ...env }) },
    running: { ...aRunning(), logger },
    lifecycle: { opened: (name: string) => opened.push(name) },
  } as unknown as StartedProcess
  return { started, lines, opened }
}

describe('a connector in this process', () => {
  it.each([
    ['reddit', ['REDDIT_CLIENT_ID', 'REDDIT_CLIENT_SECRET', 'REDDIT_USER_AGENT']],
    ['bluesky', ['BLUESKY_IDENTIFIER', 'BLUESKY_APP_PASSWORD']],
    ['twitter', ['TWITTER_BEARER_TOKEN']],
  ] as const)('of %s is off without credentials, and names the variables in one line', async (platform, variables) => {
    const { started, lines, opened } = aProcess({})

    await startConnector(platform, started)

    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { level: 30, platform, variables, msg: 'connector is off: its credentials are not set' },
    ])
    expect(opened).toEqual([])
  })

  it('does not start where its credentials would travel in the clear', async () => {
    const { started } = aProcess({ ...TOKEN, TWITTER_API_URL: 'http://api.example' })

    await expect(startConnector('twitter', started)).rejects.toThrow(
      'TWITTER_API_URL must be an https URL or a URL of this machine',
    )
  })

  it.each(['ws://stream.example', 'http://stream.example', 'ftp://127.0.0.1'])(
    'does not start with a stream in the clear: %s',
    async (url) => {
      const credentials = { BLUESKY_IDENTIFIER: 'wren.example', BLUESKY_APP_PASSWORD: 'sesame' }
      const { started } = aProcess({ ...credentials, BLUESKY_JETSTREAM_URL: url })

      await expect(startConnector('bluesky', started)).rejects.toThrow(
        'BLUESKY_JETSTREAM_URL must be a wss URL or a URL of this machine',
      )
    },
  )

  it('is a role, each by its platform', () => {
    expect(CONNECTORS).toEqual(['connector:bluesky', 'connector:reddit', 'connector:twitter'])
    expect(CONNECTORS.every((role) => ROLES.includes(role))).toBe(true)
    expect(['connector:reddit', 'connector:myspace', 'reddit'].map(platformOf)).toEqual(['reddit', null, null])
  })
})
