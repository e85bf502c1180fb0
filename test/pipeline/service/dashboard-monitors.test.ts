import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { faults, launchBrowser, openTab, tooWide } from '../../browser/chromium.ts'
import { asJsonl, sampleArticles } from '../dated-sample.ts'
import { sharedStory } from './shared-story.ts'
import { privateKey, type StoryService } from '../story.ts'
import { until } from '../until.ts'

const NAMESPACE = 'dashboard-monitors'
const Stories = z.object({ stories: z.array(z.object({ id: z.string(), title: z.string() })) })
const Monitor = z.looseObject({
  id: z.string(),
  name: z.string(),
  status: z.string(),
  conditions: z.looseObject({ places: z.array(z.string()), min_origins: z.number().nullable() }),
  channels: z.array(z.looseObject({ type: z.string() })),
})
const Monitors = z.object({ monitors: z.array(Monitor) })

let story: StoryService
let browser: Browser
/** A story that exists. */
let one: { readonly id: string; readonly title: string }

beforeAll(async () => {
  ;[story, browser] = await Promise.all([sharedStory(NAMESPACE), launchBrowser()])
  const file = join(story.home, 'dashboard-monitors.jsonl')
  await writeFile(file, asJsonl(sampleArticles(10)))
  await story.cli('import', 'jsonl', file, '--namespace', NAMESPACE, '--wait', '--json')
  const [first] = Stories.parse((await story.get('/v1/stories?min_articles=1&limit=1&time_range=30d')).body).stories
  if (first === undefined) throw new Error('there is no story')
  one = first
}, 900_000)
afterAll(async () => {
  await browser.close()
})

const monitors = async () => Monitors.parse((await story.get('/v1/monitors')).body).monitors

const visit = async (page: Page, hash: string): Promise<void> => {
  await page.goto(`${story.url}/${hash}`)
  await page.waitForSelector('main h1')
  await until('everything is there', async () => ((await page.locator('main .waiting').count()) === 0 ? true : null))
}

/** The browser reports the request that finds out whether the key may write, which is always refused. */
const unexpected = (complaints: readonly string[]): readonly string[] =>
  complaints.filter((text) => !/status of (?:403|422)/.test(text))

const found = () => ({
  ...{ title: one.title, url: 'https://outlet.example/1', source: 'outlet.example', article_ids: ['art_1'] },
  ...{ article_count: 3, origin_count: 2, lifecycle_state: 'breaking', velocity: 2, sentiment_score: 0 },
  matched_at: new Date().toISOString(),
})

const DAY_MS = 86_400_000

/** The bodies of previews, which are answered by 60 stories: two a day. */
async function withPreview(page: Page): Promise<Record<string, unknown>[]> {
  const bodies: Record<string, unknown>[] = []
  await page.route('**/v1/monitors/test', async (route) => {
    bodies.push(route.request().postDataJSON() as Record<string, unknown>)
    const days = Array.from({ length: 30 }, (_, i) => ({
      day: new Date(Date.now() - (29 - i) * DAY_MS).toISOString().slice(0, 10),
      stories: 2,
    }))
    const stories = [{ cluster_id: one.id, ...found() }]
    await route.fulfill({ json: { stories, total: 60, truncated: false, days } })
  })
  return bodies
}

it('a monitor is created with a preview, changed, paused and deleted', async () => {
  const { page, complaints } = await openTab(browser, story.key, { timezoneId: 'Europe/Berlin' })
  const previews = await withPreview(page)
  await page.route('**/matches?*', (route) =>
    route.fulfill({
      json: { matches: [{ id: 'evt_1', story_id: one.id, conditions_version: 1, ...found() }], next_cursor: null },
    }),
  )
  await visit(page, '#/stories')
  await page.getByRole('link', { name: 'Monitors', exact: true }).click()
  await page.getByText('A monitor is a saved search over stories').waitFor()
  expect(await faults(page)).toEqual([])

  // create, by keyboard where a list of values is entered
  await page.getByRole('link', { name: 'Create the first monitor' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Rates')
  await page.getByText('Enter a condition to see which stories').waitFor()
  await page.getByLabel('Countries', { exact: true }).fill('de, France')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Remove Germany from Countries' }).waitFor()
  await page.getByLabel('finance').check()
  await page.getByText('60 stories in the last 30 days, about 2 a day.').waitFor()
  await page.getByRole('img', { name: /^Stories a day, at most 2/ }).waitFor()
  await page.getByText('names a place in Germany or France, and is about finance').waitFor()
  const link = page.getByRole('region', { name: 'Preview of the last 30 days' }).getByRole('link', { name: one.title })
  expect(await link.getAttribute('href')).toBe(`#/stories/${one.id}`)
  expect(previews.at(-1)).toMatchObject({ days: 30, conditions: { places: ['DE', 'FR'], categories: ['finance'] } })
  expect(await page.getByLabel('Time zone').inputValue()).toBe('Europe/Berlin')
  expect(await faults(page)).toEqual([])
  await page.getByRole('button', { name: 'Create monitor' }).click()
  await page.getByText('The monitor is created.').waitFor()
  expect(page.url()).toMatch(/#\/monitors\/mon_\w+$/)
  await page.locator('main:focus').waitFor()
  const [created] = await monitors()
  expect(created).toMatchObject({ name: 'Rates', status: 'active', time_zone: 'Europe/Berlin' })

  // change
  await page.getByRole('link', { name: one.title }).first().waitFor()
  await page.getByLabel('Least independent sources').fill('3')
  await page.getByRole('button', { name: 'Remove France from Countries' }).click()
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('Saved.', { exact: true }).waitFor()
  expect((await monitors())[0]?.conditions).toMatchObject({ places: ['DE'], min_origins: 3, categories: ['finance'] })
  await page.getByRole('button', { name: 'Create the feed link' }).click()
  await page.getByText('Feed link created.').waitFor()
  const url = await page.getByLabel('Feed link, shown once').inputValue()
  expect(url).toMatch(/\/feed\.atom\?token=[\w-]{43}$/)
  await page.getByRole('button', { name: 'Create a new link' }).waitFor()
  expect(await faults(page)).toEqual([])

  // pause and delete
  await page.getByRole('link', { name: 'Monitors', exact: true }).first().click()
  await page.getByText(/^Newest match just now/).waitFor()
  expect(await faults(page)).toEqual([])
  await page.getByRole('button', { name: 'Pause Rates' }).click()
  await page.getByText('Rates is paused.').waitFor()
  expect((await monitors())[0]?.status).toBe('paused')
  await page.getByRole('button', { name: 'Delete Rates' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete Rates?' })
  expect(await faults(page)).toEqual([])
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  expect(await page.locator('button:focus').textContent()).toBe('Delete Rates')
  await page.getByRole('button', { name: 'Delete Rates' }).click()
  await dialog.getByRole('button', { name: 'Delete monitor' }).click()
  await page.getByText('No monitors yet').waitFor()
  expect(await monitors()).toEqual([])
  expect(unexpected(complaints)).toEqual([])
  await page.context().close()
})

it('errors of the API are shown at the field, which receives the focus', async () => {
  const { page } = await openTab(browser, story.key)
  const errors = [{ path: 'conditions.query', message: 'a quotation mark is missing' }]
  const body = { title: 'Unprocessable Content', status: 422, code: 'validation_failed', detail: 'wrong', errors }
  await page.route('**/v1/monitors/test', (route) => route.fulfill({ status: 422, json: body }))
  await visit(page, '#/monitors/new')
  const words = page.getByLabel('Words', { exact: true })
  await page.getByLabel('Name', { exact: true }).fill('Rates')
  await words.fill('"interest rate')
  await page.getByText('The errors are shown at the fields.').waitFor()

  await page.getByRole('button', { name: 'Create monitor' }).click()

  await page.getByText('Not saved.').waitFor()
  await page.getByText('a quotation mark is missing', { exact: true }).waitFor()
  expect(await words.getAttribute('aria-invalid')).toBe('true')
  await page.locator('#query:focus').waitFor()
  expect(await faults(page)).toEqual([])
  expect(await monitors()).toEqual([])
  await page.context().close()
})

it('a change during the preview aborts it, and a failure is retried', async () => {
  const { page } = await openTab(browser, story.key)
  const aborted: string[] = []
  page.on('requestfailed', (request) => aborted.push(request.url()))
  let previews = 0
  await page.route('**/v1/monitors/test', async (route) => {
    previews += 1
    if (previews === 1) return // never answered
    if (previews > 2) return route.fulfill({ json: { stories: [], total: 0, truncated: false, days: [] } })
    const json = { title: 'Service Unavailable', status: 503, code: 'unavailable', detail: 'ClickHouse is unavailable' }
    await route.fulfill({ status: 503, headers: { 'retry-after': '1' }, json })
  })
  await visit(page, '#/monitors/new')
  await page.getByLabel('Words', { exact: true }).fill('rates')
  await until('the preview is requested', async () => (previews === 1 ? true : null))
  await page.getByText('Computing …').waitFor()

  await page.getByLabel('Words', { exact: true }).fill('rates rise')

  await page.getByText(/could not be computed: ClickHouse is unavailable\. Retrying automatically\./).waitFor()
  expect(aborted.filter((url) => url.endsWith('/v1/monitors/test'))).toHaveLength(1)
  await page.getByText(/^No story .* meets these conditions/).waitFor()
  await page.context().close()
})

it('a read-only key sees the lists and no forms', async () => {
  const body = { name: 'Rates', conditions: { query: 'rates' } }
  const monitor = Monitor.parse((await story.post('/v1/monitors', body)).body)
  const { page, complaints } = await openTab(browser, await privateKey(story, NAMESPACE, { rights: ['--read-only'] }))

  await visit(page, '#/monitors')
  await page.getByText('This key is read-only.').waitFor()
  await page.getByRole('link', { name: 'Matches of Rates' }).click()
  await page.getByText('No story has matched yet.').waitFor()
  await page.locator('#matches-title:focus').waitFor()
  await page.getByText('Stories with an article that contains “rates”.').waitFor()
  expect(await page.locator('main').getByRole('textbox').count()).toBe(0)
  expect(await page.locator('main').getByRole('button').count()).toBe(0)
  expect(await faults(page)).toEqual([])
  await visit(page, '#/monitors/new')
  await page.getByText('It cannot create monitors.').waitFor()
  expect(await page.locator('main').getByRole('textbox').count()).toBe(0)
  expect(unexpected(complaints)).toEqual([])
  await fetch(`${story.url}/v1/monitors/${monitor.id}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${story.key}` },
  })
  await page.context().close()
})

it.each([
  ['light', 1280],
  ['dark', 390],
] as const)(
  'in %s, %i pixels wide, the form has no serious accessibility fault and no overflow',
  async (scheme, width) => {
    const { page, complaints } = await openTab(browser, story.key, {
      colorScheme: scheme,
      viewport: { width, height: 844 },
    })
    await withPreview(page)
    await visit(page, '#/monitors/new')
    await page.getByLabel('Words', { exact: true }).fill('rates')
    await page.getByLabel('Type').selectOption('email')
    await page.getByLabel('Address').fill('desk@outlet.example')
    await page.getByRole('button', { name: 'Add channel' }).click()
    await page.getByText('E-mail: desk@outlet.example').waitFor()
    await page.getByText('30 days as a table').click()
    await page.getByRole('region', { name: 'Stories a day' }).waitFor()

    expect({ faults: await faults(page), tooWide: await tooWide(page) }).toEqual({ faults: [], tooWide: 0 })
    expect(unexpected(complaints)).toEqual([])
    await page.context().close()
  },
)

it('a script that cannot be loaded is reported', async () => {
  const { page } = await openTab(browser, story.key)
  await page.route('**/assets/page-*.js', (route) => route.fulfill({ status: 404 }))

  await page.goto(`${story.url}/#/monitors`)

  await page.getByText('A script of this page could not be loaded. Reload the page.').waitFor()
  await page.context().close()
})
