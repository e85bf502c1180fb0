import { Command } from 'commander'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { aHandMovedClock } from '../../test/builders/api.ts'
import { loadConfig } from '../config/config.ts'
import type { Terminal } from '../operations/init/questions.ts'
import { unusedPorts } from '../../test/builders/unused-ports.ts'
import type { Wiring } from '../ports/wiring.ts'
import { parseFeedList } from '../sources/feeds/parse-opml.ts'
import { initCommand } from './init.ts'

let home: string
let said: unknown[]
/** Questions and remarks on the terminal. */
let shown: string[]
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'story-init-'))
  said = []
  shown = []
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

async function story(words: readonly string[], terminal: Terminal | null = null): Promise<unknown> {
  const environment = { STORY_HOME: home }
  const wiring: Wiring = {
    ...{ config: loadConfig(environment), environment, clock: aHandMovedClock(), logger: pino({ level: 'silent' }) },
    out: { line: (text) => said.push(text), json: (value) => said.push(value), progress: () => undefined },
    ...unusedPorts,
  }
  const program = new Command().exitOverride()
  initCommand(program, wiring, () => terminal)
  await program.parseAsync(['init', ...words], { from: 'user' })
  return said.at(-1)
}

/** A terminal on which these lines are typed. */
function typing(...lines: readonly string[]): Terminal {
  const left = [...lines]
  return {
    say: (line) => void shown.push(line),
    ask: (question) => {
      shown.push(question)
      const line = left.shift()
      return line === undefined ? Promise.reject(new Error('stopped: nothing was written')) : Promise.resolve(line)
    },
    close: () => undefined,
  }
}

const fileOf = (name: string): string => readFileSync(join(home, name), 'utf8')
const listOf = () => parseFeedList(fileOf('feeds.opml'))
const config = () => loadConfig({ STORY_HOME: home })

describe('story init with options', () => {
  it('writes the name of the first key and the outlets of the regions, for the owner only', async () => {
    const result = await story(['--name', 'Harbour desk', '--region', 'oceania,africa', '--json'])

    expect(config().firstKeyName).toBe('Harbour desk')
    expect(listOf()).toMatchObject({ title: 'Harbour desk', source: expect.stringContaining('CC0 1.0') as string })
    expect(result).toMatchObject({
      ...{ home, name: 'Harbour desk', key: true, regions: ['oceania', 'africa'], feeds: listOf()?.feeds.length },
      files: [{ state: 'new' }, { state: 'new' }],
      next: [`npx story feeds test --opml ${join(home, 'feeds.opml')}`, 'npx story up'],
    })
    expect(statSync(join(home, 'settings.env')).mode & 0o777).toBe(0o600)
  })

  it('takes an OPML file and addresses, each feed once', async () => {
    const opml = join(home, 'mine.opml')
    writeFileSync(
      opml,
      '<opml><head><title>Mine</title></head><body><outline xmlUrl="https://a.example/f"/></body></opml>',
    )

    await story(['--opml', opml, '--feed', 'https://b.example/f?x=1&y=2', '--feed', 'https://a.example/f'])

    expect(listOf()?.feeds.map(({ url }) => url)).toEqual(['https://a.example/f', 'https://b.example/f?x=1&y=2'])
  })

  it('--yes takes the defaults: a key named demo and the outlets of the world', async () => {
    expect(await story(['--yes', '--json'])).toMatchObject({ name: 'demo', key: true, regions: ['world'] })
  })

  it('--no-key leaves the key out', async () => {
    await story(['--no-key', '--region', 'none'])

    expect(config().firstKeyName).toBeNull()
    expect(() => fileOf('feeds.opml')).toThrow('ENOENT')
    expect(said.join('\n')).toContain('creates no key and watches 0 feeds')
  })

  it('can be repeated, and then writes nothing', async () => {
    await story(['--name', 'Desk', '--region', 'europe'])
    writeFileSync(join(home, 'settings.env'), `${fileOf('settings.env')}QUALITY_GATE=0.6\n`)

    expect(await story(['--name', 'Desk', '--region', 'europe', '--json'])).toMatchObject({
      files: [{ state: 'unchanged' }, { state: 'unchanged' }],
    })
    expect(await story(['--yes', '--json'])).toMatchObject({
      name: 'Desk',
      regions: null,
      files: [{ state: 'unchanged' }],
    })
    expect(config().quality.gate).toBe(0.6)
  })

  it('writes what an interrupted call left out', async () => {
    await story(['--name', 'Desk', '--region', 'europe'])
    rmSync(join(home, 'feeds.opml'))

    expect(await story(['--name', 'Desk', '--region', 'europe', '--json'])).toMatchObject({
      files: [{ state: 'unchanged' }, { state: 'new' }],
    })
  })

  it('replaces nothing without --force, and with it keeps all other settings', async () => {
    writeFileSync(join(home, 'settings.env'), '# ours\nFIRST_KEY_NAME=old\nQUALITY_GATE=0.6', { mode: 0o640 })
    const words = ['--name', "Bob's desk", '--region', 'asia']
    await expect(story(words)).rejects.toThrow(/settings\.env has another FIRST_KEY_NAME.*--force/)
    expect(() => fileOf('feeds.opml')).toThrow('ENOENT')

    await story([...words, '--force'])

    expect(fileOf('settings.env')).toBe("# ours\nFIRST_KEY_NAME='Bob's desk'\nQUALITY_GATE=0.6")
    expect(config().firstKeyName).toBe("Bob's desk")
    expect(statSync(join(home, 'settings.env')).mode & 0o777).toBe(0o640)
    await expect(story(['--region', 'europe'])).rejects.toThrow(/feeds\.opml has other feeds/)
  })

  it('--dry-run writes nothing', async () => {
    expect(await story(['--yes', '--dry-run', '--json'])).toMatchObject({
      dry_run: true,
      files: [{ state: 'new' }, {}],
    })
    expect(() => fileOf('settings.env')).toThrow('ENOENT')
  })

  it.each([
    [[], /without a terminal, answer with options: --name NAME, --region REGIONS/],
    [['--region', 'atlantis'], /no region "atlantis": expected africa, asia, europe/],
    [['--feed', 'b.example'], /feed "b\.example": expected an address/],
    [['--name', 'off'], /name "off"/],
    [['--opml', 'package.json'], /package\.json: not an OPML file/],
  ])('refuses %j', async (words, message) => {
    await expect(story(words)).rejects.toThrow(message)
  })
})

describe('story init on a terminal', () => {
  it('asks for the name, the outlets and the key, and names the origin of each list', async () => {
    await story([], typing('Harbour desk', 'europe africa', 'https://a.example/f', ''))

    expect(config().firstKeyName).toBe('Harbour desk')
    expect(new Set(listOf()?.feeds.map(({ url }) => url)).has('https://a.example/f')).toBe(true)
    expect(shown.find((line) => line.includes('europe'))).toMatch(
      /20 outlets, from news-feed-list-of-countries; awesome/,
    )
    expect(said.join('\n')).toContain('creates the key "Harbour desk" and watches 35 feeds')
  })

  it('asks again after an invalid answer, and takes the default for an empty one', async () => {
    await story([], typing('', 'atlantis', '', 'missing.opml', '', 'maybe', 'n'))

    expect(shown.filter((line) => line.startsWith('no region "atlantis"'))).toHaveLength(1)
    expect(shown.filter((line) => line.startsWith('OPML file missing.opml cannot be read'))).toHaveLength(1)
    expect(shown.filter((line) => line.startsWith('"maybe": expected y or n'))).toHaveLength(1)
    expect(config().firstKeyName).toBeNull()
  })

  it('asks only for what the options leave open', async () => {
    await story(['--name', 'Desk', '--region', 'asia', '--key'], typing())

    expect(shown).toEqual([])
  })

  it('offers to keep the list that there is', async () => {
    await story(['--name', 'Desk', '--region', 'asia', '--key'])

    expect(await story(['--json'], typing('', '', ''))).toMatchObject({
      regions: null,
      files: [{ state: 'unchanged' }],
    })
  })

  it('writes nothing if it is stopped', async () => {
    await expect(story([], typing('Desk', 'asia'))).rejects.toThrow('nothing was written')
    expect(() => fileOf('settings.env')).toThrow('ENOENT')
  })
})
