import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { describedRoutes } from '../described-routes.ts'
import { exampleOf } from '../http/openapi/example.ts'
import { bounded, citation, MAX_TEXT } from './text.ts'
import type { RestGet, ToolResult } from './tool.ts'
import { TOOLS } from './tools.ts'

const routes = describedRoutes('0.0.0')

/** The recorded response of the operation at a path. */
const recorded: RestGet = async (target) => {
  const path = target.split('?')[0] ?? ''
  const route = routes
    .filter(({ method }) => method === 'get')
    .find((one) => new RegExp(`^${one.path.replace(/\{\w+\}/g, '[^/]+')}$`).test(path))
  const { answer, answers } = exampleOf(route?.operationId)
  const body = answer ?? Object.values(answers ?? {})[0]
  return body === undefined
    ? { status: 404, body: { code: 'not_found', detail: `Nothing at ${path}` } }
    : { status: 200, body }
}

const ARTICLE = `art_${'a'.repeat(26)}`
const STORY = `sto_${'a'.repeat(26)}`

/** A call of each tool. */
const INPUTS: Readonly<Record<string, readonly Record<string, unknown>[]>> = {
  search_stories: [{}, { query: 'Lohan', limit: 2 }],
  search_articles: [{ query: 'an earthquake off the coast' }],
  get_story: [{ story_id: STORY }],
  explain_membership: [{ story_id: STORY, article_id: ARTICLE }],
  list_entities: [{}],
  get_entity: [{ entity: 'Athens' }],
  get_relationships: [{ story_id: STORY }, { entity: 'Athens' }],
  list_trends: [{}, { of: 'stories' }, { of: 'entities' }],
  get_public_response: [{ story_id: STORY }, {}],
  get_changes: [{ since: '2026-11-01' }],
}

const toolNamed = (name: string) => {
  const tool = TOOLS.find((one) => one.name === name)
  if (tool === undefined) throw new Error(`no tool ${name}`)
  return tool
}

async function content(name: string, input: Record<string, unknown>, get: RestGet = recorded) {
  const result: ToolResult = await toolNamed(name).call(input, get)
  if (result.kind === 'error') throw new Error(result.text)
  return result
}

const idsIn = (text: string): readonly string[] => text.match(/\b(?:sto|art|ent)_[a-z0-9]+/g) ?? []

describe('every tool', () => {
  it('has a unique name in snake case and a description that fits into a list', () => {
    expect(new Set(TOOLS.map(({ name }) => name)).size).toBe(TOOLS.length)
    expect(Object.keys(INPUTS)).toEqual(TOOLS.map(({ name }) => name))
    for (const { name, description } of TOOLS) {
      expect(name).toMatch(/^[a-z]+(_[a-z]+)+$/)
      expect(description.length).toBeLessThan(600)
    }
  })

  const calls = Object.entries(INPUTS).flatMap(([name, inputs]) => inputs.map((input) => [name, input] as const))

  it.each(calls)('%s %j shapes the recorded response', async (name, input) => {
    const { content: shaped, text } = await content(name, input)
    const sources = JSON.stringify(
      routes.map(({ operationId }) => exampleOf(operationId).answer ?? exampleOf(operationId).answers),
    )

    expect(toolNamed(name).output.strict().safeParse(shaped).success).toBe(true)
    expect(text.length).toBeGreaterThan(20)
    expect(text.length).toBeLessThanOrEqual(MAX_TEXT)
    expect(idsIn(text).length).toBeGreaterThan(0)
    expect(idsIn(text).filter((id) => !sources.includes(id))).toEqual([])
  })

  it.each(calls)('%s %j only reads known parameters', async (name, input) => {
    const targets: string[] = []
    await toolNamed(name).call(input, (target) => {
      targets.push(target)
      return recorded(target)
    })

    for (const target of targets) {
      const url = new URL(target, 'http://localhost')
      const route = routes.find(
        (one) => one.method === 'get' && new RegExp(`^${one.path.replace(/\{\w+\}/g, '[^/]+')}$`).test(url.pathname),
      )
      expect([...url.searchParams.keys()].filter((key) => route?.takesQuery.includes(key) !== true)).toEqual([])
      expect(route?.scope).toBe('read')
    }
    expect(targets.length).toBeGreaterThan(0)
  })

  it('refuses values beyond its limits', () => {
    for (const { input } of TOOLS.filter(({ input: { shape } }) => 'limit' in shape)) {
      expect(input.safeParse({ story_id: STORY, query: 'x', since: '2026-11-01', limit: 1_000 }).success).toBe(false)
    }
  })
})

describe('search_stories', () => {
  it('requires two articles only without words', async () => {
    const targets: string[] = []
    const get: RestGet = (target) => {
      targets.push(target)
      return recorded(target)
    }
    await content('search_stories', {}, get)
    await content('search_stories', { query: 'flood', limit: 3, cursor: 'abc' }, get)

    expect(targets).toEqual([
      '/v1/stories?min_articles=2&time_range=7d&sort=relevance&limit=10',
      '/v1/stories?topic=flood&min_articles=1&time_range=7d&sort=relevance&limit=3&cursor=abc',
    ])
  })

  it('passes the cursor of the next page on', async () => {
    const { content: shaped, text } = await content('search_stories', {})

    expect(shaped['next_cursor']).toEqual(expect.any(String))
    expect(text).toContain(`next_cursor: ${String(shaped['next_cursor'])}`)
  })
})

describe('get_story', () => {
  const member = (id: string, origin: string, published_date: string | null) => ({
    ...{
      article_id: id,
      title: `Title of ${id}`,
      source: `${id}.example`,
      url: `https://${id}.example`,
      language: 'en',
    },
    ...{ origin, published_date },
  })
  const story = {
    ...{ id: 'sto_a', title: 'A flood', article_count: 4, origin_count: 3, source_count: 4, membership: 'settled' },
    ...{ first_published: null, last_published: null, entities: {}, history: [], merged_into: 'sto_a' },
    summary: [{ sentence: 'The river rose.', article_id: 'art_b' }],
    members: [
      member('art_d', 'syn_3', null),
      member('art_b', 'syn_1', '2026-11-02T00:00:00.000Z'),
      member('art_a', 'syn_1', '2026-11-01T00:00:00.000Z'),
      member('art_c', 'syn_2', '2026-11-03T00:00:00.000Z'),
    ],
  }
  const get: RestGet = () => Promise.resolve({ status: 200, body: story })

  it('lists independent sources with their reprints, earliest first, undated last', async () => {
    const { content: shaped, text } = await content('get_story', { story_id: 'sto_b' }, get)

    expect(shaped['sources']).toMatchObject([
      { article: { article_id: 'art_a' }, articles: 2, reprints: [{ article_id: 'art_b' }] },
      { article: { article_id: 'art_c' }, articles: 1 },
      { article: { article_id: 'art_d' }, articles: 1 },
    ])
    expect(text).toContain('"Title of art_a", art_a.example, 2026-11-01 00:00, https://art_a.example [art_a]')
    expect(text).toContain('merged into [sto_a]')
  })

  it('continues after the sources of the previous answer', async () => {
    const first = await content('get_story', { story_id: 'sto_a', limit: 2 }, get)
    const second = await content(
      'get_story',
      { story_id: 'sto_a', limit: 2, cursor: first.content['next_cursor'] },
      get,
    )

    expect(first.content['next_cursor']).toBe('2')
    expect(second.content).toMatchObject({ sources: [{ article: { article_id: 'art_d' } }], next_cursor: null })
  })
})

describe('get_relationships', () => {
  it('takes either a story or an entity', () => {
    const { input } = toolNamed('get_relationships')

    expect(input.safeParse({}).success).toBe(false)
    expect(input.safeParse({ story_id: 'sto_a', entity: 'Athens' }).success).toBe(false)
  })

  it('names related stories, and leaves a title out that cannot be read', async () => {
    const link = {
      type: 'evolved_into',
      directed: true,
      confidence: 0.8,
      shared_entities: ['ent_a'],
      since: '2026-11-01',
    }
    const get: RestGet = (target) => {
      if (target.includes('/layer3/')) {
        const relationships = [
          { ...link, source: 'sto_b', target: 'sto_a' },
          { ...link, source: 'sto_a', target: 'sto_c' },
        ]
        return Promise.resolve({ status: 200, body: { cluster_id: 'sto_a', relationships } })
      }
      const body = { id: 'sto_b', title: 'The dam', updated_at: '2026-11-01T00:00:00.000Z' }
      return Promise.resolve(target.endsWith('/sto_b') ? { status: 200, body } : { status: 404, body: {} })
    }

    expect((await content('get_relationships', { story_id: 'sto_a' }, get)).content['stories']).toMatchObject([
      { story_id: 'sto_b', title: 'The dam', direction: 'from' },
      { story_id: 'sto_c', title: null, direction: 'to' },
    ])
  })
})

describe('an error', () => {
  const refusing =
    (code: string, detail: string): RestGet =>
    () =>
      Promise.resolve({ status: 404, body: { code, detail } })

  it('names the id and says where ids come from', async () => {
    const get = refusing('cluster_not_found', 'Cluster not found: sto_x')

    expect(await toolNamed('get_story').call({ story_id: 'sto_x' }, get)).toEqual({
      kind: 'error',
      text: 'Cluster not found: sto_x (cluster_not_found). Take ids of stories from search_stories or search_articles.',
    })
  })

  it('without a problem says the status', async () => {
    const result = await toolNamed('get_story').call({ story_id: 'sto_x' }, async () => ({ status: 502, body: 'Bad' }))

    expect(result).toMatchObject({ kind: 'error', text: expect.stringContaining('502') as string })
  })
})

describe('text', () => {
  it('ends at a line within the limit, and says so', () => {
    const text = bounded(Array.from({ length: 500 }, (_, i) => `${i} ${'x'.repeat(50)}`))

    expect(text.length).toBeLessThanOrEqual(MAX_TEXT)
    expect(text.split('\n').at(-1)).toMatch(/^\(shortened/)
  })

  it('cites an undated article without an address', () => {
    const article = { article_id: 'art_a', title: 'A', outlet: null, url: null, published: null }

    expect(citation(article)).toBe('"A", unknown outlet, undated [art_a]')
  })
})

it('the schemas of all tools are JSON schemas of objects', () => {
  for (const { input, output } of TOOLS) {
    expect(z.toJSONSchema(input, { io: 'input' })).toMatchObject({ type: 'object' })
    expect(z.toJSONSchema(output)).toMatchObject({ type: 'object' })
  }
})
