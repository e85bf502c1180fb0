import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Cli } from './service.ts'
import { watchingFeeds } from './watching-feeds.ts'

let home: string
let said: string[]
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'story-feeds-'))
  said = []
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const out = { progress: (text: string) => said.push(text) }
const answering = (script: string): Cli => ({ command: process.execPath, args: ['-e', script, '--'], environment: {} })
const ADDED = answering('console.log(JSON.stringify({ added: [1, 2], known: [3], failed: [] }))')
const listing = (feeds: string) => writeFileSync(join(home, 'feeds.opml'), `<opml><body>${feeds}</body></opml>`)

it('does nothing without a list, or with an empty one', async () => {
  await watchingFeeds(answering('process.exit(1)'), home, out)
  listing('')
  await watchingFeeds(answering('process.exit(1)'), home, out)

  expect(said).toEqual([])
})

it('watches the feeds of a list once, and again after the list has changed', async () => {
  listing('<outline xmlUrl="https://a.example/f"/>')
  await watchingFeeds(ADDED, home, out)
  await watchingFeeds(ADDED, home, out)
  expect(said).toEqual([expect.stringMatching(/^watched feeds of .*feeds\.opml: 3 /)])

  listing('<outline xmlUrl="https://b.example/f"/>')
  await watchingFeeds(ADDED, home, out)
  expect(said).toHaveLength(2)
})

it('reports a failure and tries again at the next start', async () => {
  listing('<outline xmlUrl="https://a.example/f"/>')
  await watchingFeeds(answering('process.exit(1)'), home, out)
  await watchingFeeds(ADDED, home, out)

  expect(said).toEqual([expect.stringMatching(/^feeds of .* not watched: /), expect.stringMatching(/^watched feeds /)])
})
