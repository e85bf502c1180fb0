import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { projectPath } from '../../src/project-path.ts'
import { startStory, stopAllStories, type Story } from './story.ts'

const MAIN = projectPath('dist/main.js')
const SAMPLE = projectPath('samples/ecbplus.jsonl.gz')

let story: Story

beforeAll(async () => {
  story = await startStory()
  await story.cli('import', 'jsonl', SAMPLE, '--wait')
}, 600_000)
afterAll(stopAllStories)

const lines = async (...args: string[]): Promise<readonly Record<string, unknown>[]> =>
  (await story.cli(...args, '--json'))
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>)

/** Stories go on from state to state while the test runs: this view may gain rows, and loses none. */
const MOVED_BY_TIME = 'stories'

async function asItWas(before: readonly Record<string, unknown>[]): Promise<void> {
  const now = await lines('hash', '--all')
  const still = (views: typeof now) => views.filter(({ view }) => view !== MOVED_BY_TIME)
  const rows = (views: typeof now) => Number(views.find(({ view }) => view === MOVED_BY_TIME)?.['rows'])
  expect(still(now)).toEqual(still(before))
  expect(rows(now)).toBeGreaterThanOrEqual(rows(before))
}

/** Begins a rebuild of every view and kills it at a word of its progress. */
async function killedAt(word: RegExp): Promise<string> {
  const child = spawn(process.execPath, [MAIN, 'rebuild', '--all', '--json'], {
    env: {
      ...process.env,
      STORY_HOME: story.home,
      LOG_LEVEL: 'warn',
      ENCODER_VECTOR_CACHE: join(homedir(), '.cache', 'story-intelligence', 'test-vectors'),
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = once(child, 'exit')
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString()
    if (word.test(said)) child.kill('SIGKILL')
  })
  await ended
  return said
}

it('a rebuild of every view that is killed goes on when it is asked for again, and all is as it was', async () => {
  const before = await lines('hash', '--all')

  await killedAt(/began/)
  await killedAt(/comparing/)
  const rebuilt = await lines('rebuild', '--all')

  expect(rebuilt.length).toBeGreaterThan(8)
  expect(rebuilt.filter(({ exchanged }) => exchanged !== true)).toEqual([])
  await asItWas(before)
  // the service goes on as before, and so do the tables it had
  expect((await story.get('/v1/clusters?time_range=7d')).status).toBe(200)
  expect((await lines('rebuild', 'clusters', '--rollback'))[0]).toMatchObject({ view: 'clusters' })
  await asItWas(before)
}, 600_000)
