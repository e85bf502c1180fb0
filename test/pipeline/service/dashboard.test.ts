import { readdirSync, readFileSync, statSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { projectPath } from '../../../src/config/project-path.ts'
import { faults, launchBrowser, openTab, tooWide } from '../../browser/chromium.ts'
import { asJsonl, sampleArticles } from '../dated-sample.ts'
import { sharedStory } from './shared-story.ts'
import { privateKey, type StoryService } from '../story.ts'
import { until } from '../until.ts'

/** Several stories with several articles, including reprints. */
const ARTICLES = 60
const NAMESPACE = 'dashboard'

const Stories = z.object({
  stories: z.array(
    z.object({ id: z.string(), title: z.string(), article_count: z.number(), origin_count: z.number() }),
  ),
})
const Entities = z.object({ entities: z.array(z.object({ id: z.string(), name: z.string() })) })

let story: StoryService
let browser: Browser

beforeAll(async () => {
  ;[story, browser] = await Promise.all([sharedStory(NAMESPACE), launchBrowser()])
  await importAll('sample.jsonl', asJsonl(sampleArticles(ARTICLES)))
}, 900_000)
afterAll(async () => {
  await browser.close()
})

async function importAll(name: string, text: string): Promise<void> {
  const file = join(story.home, `dashboard-${name}`)
  await writeFile(file, text)
  await story.cli('import', 'jsonl', file, '--namespace', NAMESPACE, '--wait', '--json')
}

const largest = async () => {
  const { body } = await story.get('/v1/stories?sort=coverage&limit=1')
  const [first] = Stories.parse(body).stories
  if (first === undefined) throw new Error('there is no story')
  return first
}

const visit = async (page: Page, hash: string): Promise<void> => {
  await page.goto(`${story.url}/${hash}`)
  await page.waitForSelector('main h1')
  await until('everything is there', async () => ((await page.locator('main .waiting').count()) === 0 ? true : null))
}

describe('the dashboard', () => {
  it('requests a key, reports a rejected one, and keeps a valid one in its tab only', async () => {
    const { page } = await openTab(browser, '')
    await page.goto(story.url)
    await page.getByLabel('Your API key').fill('pk_live_nobodys')
    await page.keyboard.press('Enter')
    await page.getByText('This key was rejected').waitFor()

    await page.getByLabel('Your API key').fill(story.key)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Stories' }).waitFor()

    expect(page.url()).not.toContain(story.key)
    expect(await page.evaluate('JSON.stringify(localStorage) + document.cookie')).not.toContain(story.key)
    const other = await page.context().newPage()
    await other.goto(story.url)
    await other.getByLabel('Your API key').waitFor()
    await page.context().close()
  })

  it('shows the independent sources of a story, and why each article is in it', async () => {
    const { page, complaints } = await openTab(browser, story.key)
    const { title, article_count, origin_count } = await largest()
    await visit(page, '#/stories')

    await page.getByRole('link', { name: title }).first().click()
    await page.getByRole('heading', { level: 1, name: title }).waitFor()

    await page
      .getByText(/score .+, threshold|It opened this story/)
      .first()
      .waitFor()
    const all = page.getByRole('button', { name: /^All \d+ independent sources$/ })
    if (await all.isVisible()) await all.click()
    const folded = page.getByRole('button', { name: /^\d+ more dependent articles$/ })
    while ((await folded.count()) > 0) await folded.first().click()
    expect([await page.locator('.account').count(), await page.locator('.member').count()]).toEqual([
      origin_count,
      article_count,
    ])
    expect(complaints).toEqual([])
    await page.context().close()
  })

  it('links from a search result to its place in its story, and back', async () => {
    const { page, complaints } = await openTab(browser, story.key)
    await visit(page, '#/search?q=shooting')
    const hit = page.getByRole('region', { name: 'Articles' }).getByRole('link').first()
    const headline = await hit.innerText()

    await hit.click()

    const member = page.locator('.sought')
    await member.getByText('selected article').waitFor()
    await member.getByText('Why included?').waitFor()
    expect(await member.locator('.title').innerText()).toBe(headline)
    expect(await page.evaluate('document.activeElement === document.querySelector(".sought")')).toBe(true)
    await page.goBack()
    await page.getByRole('link', { name: headline }).first().waitFor()
    expect(complaints).toEqual([])
    await page.context().close()
  })

  it('shows a new story as it arrives, and an earlier point in time without it', async () => {
    const { page, complaints } = await openTab(browser, story.key)
    await visit(page, '#/stories?sort=recency')
    const before = new Date().toISOString()
    const change = (n: number) => ({
      ...{
        url: `https://outlet${n}.example/bridge`,
        source: `outlet${n}.example`,
        title: 'Old harbour bridge to close',
      },
      text: `The council of Quillhaven voted to close the old harbour bridge for two years. Engineers found ${n + 3} cracks in its steel arches. Mayor Ada Thornquist said that ferries will run instead.`,
    })

    await importAll('bridge.jsonl', asJsonl([change(1), change(2)]))

    const row = page.getByRole('link', { name: 'Old harbour bridge to close' })
    await row.waitFor({ timeout: 60_000 })
    await visit(page, `#/stories?sort=recency&as_of=${before}`)
    await page.getByRole('link').first().waitFor()
    expect(await row.count()).toBe(0)
    await page.keyboard.press('n')
    await row.waitFor()
    expect(complaints).toEqual([])
    await page.context().close()
  })

  it('shows subjects with their stories, and the subject and the certainty of a story', async () => {
    const { page, complaints } = await openTab(browser, story.key)
    const { id, title } = await largest()
    const { body } = await story.get(`/v1/clusters/${id}`)
    const detail = z.looseObject({ members: z.array(z.looseObject({})) }).parse(body)
    const members = detail.members.map((member) => ({ ...member, assignment_confidence: 0.87 }))
    const listed = { ...detail, id: 'sub_1', kind: 'subject', title: 'Ada Quill: harbours', story_count: 1 }
    const stories = [{ id, title, article_count: 3, updated_at: new Date().toISOString() }]
    // the sample has no subject page: API responses are replaced by one
    const answers = {
      '**/v1/clusters?*': { clusters: [listed], total: 1, page: 1, next_cursor: null },
      '**/v1/clusters/sub_1*': { ...listed, stories },
      [`**/v1/clusters/${id}`]: { ...detail, membership: 'settled', subject_id: 'sub_1', members },
    }
    for (const [where, json] of Object.entries(answers)) {
      await page.route(where, (route) => route.fulfill({ json }))
    }

    await visit(page, '#/subjects')
    await page.getByText('1 story').waitFor()
    await page.getByRole('link', { name: 'Ada Quill: harbours' }).click()
    await page.getByRole('heading', { level: 1, name: 'Ada Quill: harbours' }).waitFor()
    expect(await faults(page)).toEqual([])
    await page.getByRole('link', { name: title }).click()

    await page.getByText('Part of the subject').waitFor()
    await page.getByText('likely to stay (87 %)').first().waitFor()
    await page.getByText('settled', { exact: true }).waitFor()
    expect(await faults(page)).toEqual([])
    await page.getByRole('link', { name: 'Ada Quill: harbours' }).waitFor()
    expect(complaints).toEqual([])
    await page.context().close()
  })

  it('shows entity trends with support, and the others if selected', async () => {
    const { page, complaints } = await openTab(browser, story.key)
    // The sample covers one day, so nothing has a history.
    await visit(page, '#/trends')
    const others = page.getByRole('link', { name: 'Show entities with low support' })
    await others.waitFor()
    const entities = page.locator('section', { has: page.getByRole('heading', { name: 'Entities' }) })
    expect(await entities.locator('.trends li').count()).toBe(0)

    await others.click()

    await page.getByText('low support', { exact: true }).first().waitFor()
    const choice = page.getByLabel('Entities with low support')
    expect(await choice.inputValue()).toBe('all')
    await choice.selectOption('enough')
    await others.waitFor()
    expect(complaints).toEqual([])
    await page.context().close()
  })

  it('downloads a list with its filters as CSV', async () => {
    const { page, complaints } = await openTab(browser, story.key)
    await visit(page, '#/entities?type=PERSON')

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download CSV' }).click(),
    ])

    const [header, ...rows] = (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n')
    const { total } = z.object({ total: z.number() }).parse((await story.get('/v1/entities?type=PERSON')).body)
    expect(download.suggestedFilename()).toBe('entities.csv')
    expect(header).toMatch(/^id,name,type,/)
    expect(rows).toHaveLength(total)
    expect(complaints).toEqual([])
    await page.context().close()
  })

  it('downloads the same list as JSON, every item', async () => {
    const { page, complaints } = await openTab(browser, story.key)
    await visit(page, '#/entities?type=PERSON')

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download JSON' }).click(),
    ])

    const Entities = z.object({ entities: z.array(z.object({ id: z.string() })), total: z.number() })
    const saved = Entities.parse(JSON.parse(await readFile(await download.path(), 'utf8')))
    expect(download.suggestedFilename()).toBe('entities.json')
    expect(saved.entities).toHaveLength(saved.total)
    expect(complaints).toEqual([])
    await page.context().close()
  })

  it('is navigated by keyboard', async () => {
    const { page } = await openTab(browser, story.key)
    await visit(page, '#/stories')
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.keyboard.press('k')
    expect(await page.evaluate('document.activeElement === document.querySelector("[data-item]")')).toBe(true)

    await page.keyboard.press('Enter')
    await page.waitForURL(/#\/stories\/sto_/)
    await page.goBack()
    await page.getByRole('heading', { name: 'Stories', level: 1 }).waitFor()
    await page.keyboard.press('/')
    expect(await page.evaluate('document.activeElement.type')).toBe('search')
    await page.keyboard.press('Escape')
    await page.keyboard.press('?')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await until('the help is closed', async () => ((await page.getByRole('dialog').count()) === 0 ? true : null))
    await page.context().close()
  })
})

it.each([1280, 390])(
  'the time panel fits %i pixels, changes the point in time, and closes with Escape',
  async (width) => {
    const { page, complaints } = await openTab(browser, story.key, { viewport: { width, height: 844 } })
    await visit(page, '#/stories')
    const button = page.getByRole('button', { name: 'Now', exact: true })
    await button.click()
    const panel = page.locator('#time-panel')
    const slider = panel.getByRole('slider')
    await slider.waitFor()

    const { x, width: wide } = (await panel.boundingBox()) ?? { x: -1, width: 0 }
    expect([x >= 0, x + wide <= width, wide > 300]).toEqual([true, true, true])
    expect(await faults(page)).toEqual([])
    await slider.press('Home')
    await page.waitForURL(/as_of=/)
    await slider.press('End')
    await button.waitFor()
    await page.keyboard.press('Escape')
    await until('it is gone', async () => ((await panel.count()) === 0 ? true : null))
    expect(complaints).toEqual([])
    await page.context().close()
  },
)

it('a namespace without articles says on every list what to do next', async () => {
  const key = await privateKey(story, 'dashboard-empty')
  const { page, complaints } = await openTab(browser, key)

  for (const name of ['stories', 'entities', 'subjects', 'trends', 'search?q=flood']) {
    await visit(page, `#/${name}`)
    const steps = page.getByRole('status', { name: 'No articles yet' }).first()
    await steps.getByText('npx story init').waitFor()
    expect(await steps.getByRole('link', { name: 'documentation of the API' }).getAttribute('href')).toBe('./docs')
    expect({ name, faults: await faults(page), tooWide: await tooWide(page) }).toEqual({
      name,
      faults: [],
      tooWide: 0,
    })
  }
  expect(complaints).toEqual([])
  await page.context().close()
})

describe('errors are shown with a remedy', () => {
  const says = async (page: Page, ...texts: readonly (string | RegExp)[]): Promise<void> => {
    for (const text of texts) await page.getByText(text).first().waitFor()
  }
  const notice = (page: Page) => page.getByRole('status').filter({ hasText: 'cannot be reached' })

  it('the service is unavailable: loaded data stays, and the page recovers by itself', async () => {
    const { page } = await openTab(browser, story.key)
    await visit(page, '#/health')
    await page.context().setOffline(true)

    await says(page, 'The service cannot be reached. The data shown may be out of date. Retrying every few seconds.')
    expect(await page.getByText('articles in total').isVisible()).toBe(true)
    await page.getByRole('link', { name: 'Trends' }).click()
    await says(page, 'Service unavailable', 'Retrying automatically.')

    await page.context().setOffline(false)
    await page.getByRole('heading', { name: 'Stories' }).waitFor()
    await until('the notice is gone', async () => ((await notice(page).count()) === 0 ? true : null))
    await page.context().close()
  })

  it('too many requests: retried after Retry-After, not before', async () => {
    const { page } = await openTab(browser, story.key)
    const pages: number[] = []
    await page.route('**/v1/entities?*', async (route) => {
      pages.push(performance.now())
      const body = { title: 'Too Many Requests', status: 429, code: 'rate_limited', detail: 'Too many requests' }
      if (pages.length > 1) await route.continue()
      else await route.fulfill({ status: 429, headers: { 'retry-after': '3' }, json: body })
    })
    await page.goto(`${story.url}/#/entities`)

    await says(page, /^Rate limit reached\. Requests resume in [1-3] s\.$/, 'Rate limit reached')
    await page.locator('.rows li').first().waitFor()

    expect((pages[1] ?? 0) - (pages[0] ?? 0)).toBeGreaterThan(2_900)
    await until('the notice is gone', async () => ((await page.locator('.notice').count()) === 0 ? true : null))
    await page.context().close()
  })

  it('a read-only Starter key: everything except Echo, related stories and the network, which show a message', async () => {
    const { page } = await openTab(
      browser,
      await privateKey(story, NAMESPACE, { tier: 'starter', rights: ['--read-only'] }),
    )
    const { id, title } = await largest()
    const [entity] = Entities.parse((await story.get('/v1/entities?limit=1')).body).entities
    await visit(page, `#/stories/${id}`)

    for (const name of ['Public response', 'Related stories']) {
      const section = page.locator('section', { has: page.getByRole('heading', { name }) })
      await section.getByText('Not available with this key').waitFor()
      await section.getByText('This operation requires a professional key; yours is starter').waitFor()
    }
    expect(await page.getByRole('heading', { level: 1, name: title }).isVisible()).toBe(true)
    await visit(page, `#/entities/${entity?.id ?? ''}`)
    await says(page, 'This operation requires a professional key; yours is starter', 'Stories that mention it')
    await page.context().close()
  })

  it('a key that is rejected during use is removed, and another is requested', async () => {
    const { page } = await openTab(browser, '')
    await page.goto(story.url)
    await page.getByLabel('Your API key').fill(story.key)
    await page.keyboard.press('Enter')
    await page.locator('.stories li').first().waitFor()
    const body = { title: 'Unauthorized', status: 401, code: 'invalid_api_key', detail: 'Invalid API key' }
    await page.route('**/v1/entities?*', (route) => route.fulfill({ status: 401, json: body }))

    await page.getByRole('link', { name: 'Entities' }).click()

    await says(page, /^This key was rejected\. Check that it is complete/)
    expect(await page.getByLabel('Your API key').inputValue()).toBe('')
    expect(await page.evaluate('sessionStorage.length')).toBe(0)
    await page.context().close()
  })

  it.each([
    ['stories/sto_nobodys', 'Not found', /Cluster not found: sto_nobodys/],
    ['entities/ent_nobodys', 'Not found', /The address may be incomplete/],
    ['stories?topic=xqzzyv', 'No stories match these filters', /The newest article is from \d+ \w+ \d{4}\./],
    ['entities?q=xqzzyv', 'No entities match these filters', 'Part of a name'],
    ['search', 'Search by meaning', 'Articles are found by meaning'],
    ['search?q=xqzzyv', 'No stories of the last 30 days contain all words', 'Articles, most similar first'],
  ] as const)('%s: %s', async (where, ...texts) => {
    const { page } = await openTab(browser, story.key)
    await page.goto(`${story.url}/#/${where}`)

    for (const text of texts) {
      await page.getByText(text).or(page.getByPlaceholder(text)).first().waitFor()
    }
    expect(await faults(page)).toEqual([])
    await page.context().close()
  })
})

it('the page checks find planted faults: a button without a name, an element that is too wide, an error', async () => {
  const { page, complaints } = await openTab(browser, story.key)
  await visit(page, '#/stories')
  await page.evaluate(`
    document.querySelector('main').append(document.createElement('button'))
    document.querySelector('main').style.minWidth = '2000px'
    console.error('planted')`)

  expect(await faults(page)).toEqual([expect.stringContaining('button-name: <button>')])
  expect(await tooWide(page)).toBeGreaterThan(500)
  expect(complaints).toEqual(['planted'])
  await page.context().close()
})

// each colour scheme and each width once: colours do not depend on the width
describe.each([
  ['light', 1280],
  ['dark', 390],
] as const)('in %s, %i pixels wide', (colorScheme, width) => {
  it('has no serious accessibility fault, console error or overflow on any page', async () => {
    const { page, complaints } = await openTab(browser, story.key, { colorScheme, viewport: { width, height: 844 } })
    const { id } = await largest()
    const [entity] = Entities.parse((await story.get('/v1/entities?limit=1')).body).entities
    const pages = [
      'stories',
      `stories/${id}`,
      'subjects',
      'entities',
      `entities/${entity?.id ?? ''}`,
      'trends',
      'search?q=shooting',
      'health',
    ]
    for (const name of pages) {
      await visit(page, `#/${name}`)
      expect({ name, faults: await faults(page), tooWide: await tooWide(page) }).toEqual({
        name,
        faults: [],
        tooWide: 0,
      })
    }
    expect(complaints).toEqual([])
    await page.context().close()
  })
})

it('transfers less than 60 kB of script at first, and less than 20 kB for the pages that are loaded on demand', () => {
  const folder = projectPath('dist/dashboard')
  const page = readFileSync(join(folder, 'index.html'), 'utf8')
  const scripts = readdirSync(join(folder, 'assets')).filter((name) => name.endsWith('.js'))
  const bytesOf = (names: readonly string[]): number =>
    names.reduce((sum, name) => sum + statSync(join(folder, 'assets', `${name}.br`)).size, 0)
  const first = scripts.filter((name) => page.includes(name))
  const onDemand = scripts.filter((name) => !page.includes(name))

  expect([first.length, onDemand.length]).toEqual([1, 1])
  expect(bytesOf(first)).toBeLessThan(60_000)
  expect(bytesOf(onDemand)).toBeLessThan(20_000)
})
