import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { anyFreePort } from '../../../src/engines/free-port.ts'
import { projectPath } from '../../../src/config/project-path.ts'
import { startStory, stopAllStories, type StoryService } from '../story.ts'

const DOCUMENT = readFileSync(projectPath('docs/tutorial.md'), 'utf8')

/** Each block of the page that a reader types, except those marked as left out with a reason. */
const BLOCKS = [...DOCUMENT.matchAll(/(<!-- run elsewhere: .+ -->\n)?```sh\n([\s\S]*?)```/g)].flatMap(
  ([, elsewhere, commands = '']) => (elsewhere === undefined ? [commands] : []),
)

/** The README's blocks that come before it for most readers: how to read answers, and its own article. */
const README_BLOCKS = [...readFileSync(projectPath('README.md'), 'utf8').matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(
  ([, commands = '']) => (/^KEY=|\/process /m.test(commands) ? [commands] : []),
)

const MARK = '--- end of a block ---'

let story: StoryService
/** The stdout of each block, in order. */
let said: readonly string[]
/** The output of the README's commands. */
let readme: string | undefined

beforeAll(async () => {
  process.env['WEBHOOKS_ALLOW_LOOPBACK'] = '1' // as the page's first block starts the service
  story = await startStory()
  ;[readme, ...said] = await typed([README_BLOCKS.join('\n'), ...BLOCKS])
}, 900_000)
afterAll(async () => {
  delete process.env['WEBHOOKS_ALLOW_LOOPBACK']
  await stopAllStories()
})

/** One shell runs all blocks, since later ones use variables of earlier ones; the first failure ends it. */
async function typed(blocks: readonly string[]): Promise<readonly string[]> {
  const home = (commands: string): string =>
    commands.replaceAll('./.story/', `${story.home}/`).replaceAll('localhost:8080', new URL(story.url).host)
  const script = blocks
    .map(home)
    .map((commands) => `${commands}\necho '${MARK}'`)
    .join('\n')
  const { stdout } = await promisify(execFile)(
    'bash',
    [
      '-euc',
      `trap 'kill $(jobs -p) 2>/dev/null || true' EXIT\n${script.replaceAll('npx story ', 'node dist/main.js ')}`,
    ],
    {
      cwd: projectPath('.'),
      env: { ...process.env, STORY_HOME: story.home, RECEIVER_PORT: `${await anyFreePort()}`, LOG_LEVEL: 'warn' },
      timeout: 240_000,
    },
  )
  return stdout.split(`${MARK}\n`).slice(0, -1)
}

/** The output of the block that contains this text. */
function saidBy(words: string): string {
  const answer = said[BLOCKS.findIndex((block) => block.includes(words))]
  if (answer === undefined) throw new Error(`no block of docs/tutorial.md that ran holds: ${words}`)
  return answer
}

describe('the tutorial, after the first queries of the README', () => {
  it('follows an article of the README', () => {
    expect(README_BLOCKS.length).toBe(2)
    expect(readme).toMatch(/"status":"(queued|processing|completed)"/)
  })

  it('sets up the outlets and the key', () => {
    expect(saidBy('story init')).toContain('creates the key "Harbour desk" and watches 32 feeds')
  })

  it('runs to its last block', () => {
    expect(said.length).toBe(BLOCKS.length)
  })

  it('shows two articles of two outlets and one independent source', () => {
    expect(saidBy('origin_count membership')).toMatch(/article_count: 2\nsource_count: 2\norigin_count: 1\n/)
  })

  it('shows why the second article is in the story', () => {
    expect(JSON.parse(saidBy('/why'))).toMatchObject({ action: 'joined', articles: 1 })
  })

  it('queries the same members in SQL', () => {
    const table = saidBy('FORMAT PrettyCompact')
    expect([table.includes('outlet1.example'), table.includes('outlet2.example')]).toEqual([true, true])
    expect(table).not.toContain('Example Times')
    expect(new Set(table.match(/syn_[a-z2-7]{26}/g)).size).toBe(1) // the same syndication group twice
  })

  it('finds the story in the feed: two lines', () => {
    expect(saidBy('/v1/changes?types').match(/cluster\.(opened|grown)/g)).toEqual(['cluster.opened', 'cluster.grown'])
  })

  it('receives only signed deliveries', () => {
    const received = saidBy('third.jsonl')
    expect(received).toMatch(/^verified \S+ \{"type":"webhook\.test"/m)
    expect(received).toMatch(/^verified evt_\S+ \{"type":"cluster\.grown"/m)
    expect(received).not.toMatch(/^refused/m)
  })

  it('receives one alert for the second independent source', () => {
    expect(saidBy('/v1/monitors/test')).toMatch(/^0$/m)
    const alert = saidBy('fourth.jsonl')
    expect(alert.match(/^verified evt_\S+ \{"type":"monitor\.matched".*"origin_count":2/gm)).toHaveLength(1)
    expect(alert).toContain('"story_id"')
  })
})
