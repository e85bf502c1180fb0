import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { languageOf } from '../../../src/language/language-of.ts'
import { asJsonLines } from '../../../src/quality/labelled-file.ts'
import { ntrexTexts as texts, type NtrexText } from '../../builders/ntrex.ts'
import type { StoryService } from '../story.ts'
import { until } from '../until.ts'
import { sharedStory } from './shared-story.ts'

interface StoryMember {
  readonly article_id: string
  readonly translation?: { readonly sentences: number } | null
}

let story: StoryService
/** By story, the articles that it has. */
let members: ReadonlyMap<string, readonly StoryMember[]>
const textOf = new Map<string, NtrexText>()

async function stories(): Promise<ReadonlyMap<string, readonly StoryMember[]>> {
  const { body } = await story.get('/v1/clusters?limit=100')
  const ids = (body['clusters'] as { readonly id: string }[]).map(({ id }) => id)
  const details = await Promise.all(ids.map((id) => story.get(`/v1/clusters/${id}`)))
  return new Map(ids.map((id, i) => [id, details[i]?.body['members'] as StoryMember[]]))
}

const eventOf = ([first]: readonly StoryMember[]) => textOf.get(first?.article_id ?? '')?.event

beforeAll(async () => {
  story = await sharedStory('languages-test')
  for (let from = 0; from < texts.length; from += 28) {
    const some = texts.slice(from, from + 28)
    const articles = some.map(({ event, language, title, text }, i) => ({
      text,
      metadata: { title, url: `https://${language}.example/${event}/${from + i}` },
    }))
    const { body } = await story.post('/layer0/v1/process/batch', { articles })
    for (const [i, job] of (body['jobs'] as { article_id: string }[]).entries()) {
      const text = some[i]
      if (text !== undefined) textOf.set(job.article_id, text)
    }
  }
  members = await until('every article is in a story', async () => {
    const found = await stories()
    return [...found.values()].flat().length === texts.length ? found : null
  })
}, 900_000)

describe('stories across languages', () => {
  it('puts the reports of an event in all languages into one story', () => {
    const eventsOf = [...members.values()].map(
      (articles) => new Set(articles.map((one) => textOf.get(one.article_id)?.event)),
    )
    const whole = [...members.values()].filter(
      (articles) => new Set(articles.map((one) => textOf.get(one.article_id)?.language)).size === 7,
    )

    for (const events of eventsOf) expect(events.size).toBe(1) // no story mixes two events
    expect(whole.length).toBeGreaterThanOrEqual(6)
  })

  it('counts most translations with the text that they translate, and gives the evidence', async () => {
    const [cluster_id] = [...members].find(([, found]) => found.length === 7) ?? ['']
    const { body } = await story.get(`/v1/clusters/${cluster_id}`)
    const evidence = (body['members'] as StoryMember[]).flatMap(({ translation }) => translation ?? [])

    expect(evidence.length).toBeGreaterThan(2)
    expect(Math.min(...evidence.map(({ sentences }) => sentences))).toBeGreaterThanOrEqual(5)
    expect(body['origin_count']).toBe(7 - evidence.length)
  })

  it('recognises the language of each article', async () => {
    const some = [...textOf].filter((_, i) => i % 3 === 0)
    for (const [article_id, { language }] of some) {
      expect((await story.get(`/layer0/v1/article/${article_id}`)).body).toMatchObject({ language })
    }
  })

  it('says why an article in Arabic joined a story in English', async () => {
    const [cluster_id, articles] = [...members].find(([, found]) => found.length >= 7) ?? ['', []]
    const arabic = articles.find(({ article_id }) => textOf.get(article_id)?.language === 'ar')
    const { status, body } = await story.get(`/v1/clusters/${cluster_id}/members/${arabic?.article_id ?? ''}/why`)

    expect(status).toBe(200)
    expect(JSON.stringify(body)).toContain('cross.title_cosine')
  })
})

it('quotes a story in the language of the reader', async () => {
  const [cluster_id] = [...members].find(([, found]) => found.length >= 7) ?? ['']
  const { body } = await story.get(`/v1/clusters/${cluster_id}?languages=de,en`)
  const quoted = body['summary'] as { readonly article_id: string }[]

  expect(quoted.length).toBeGreaterThan(0)
  expect(new Set(quoted.map(({ article_id }) => textOf.get(article_id)?.language))).toEqual(new Set(['de']))
})

it('has one entity for a place in all languages, with its name in each', async () => {
  const { body } = await until('the entity is there', async () => {
    const found = await story.get('/v1/entities/China')
    return found.status === 200 ? found : null
  })

  expect(Object.keys(body['names'] as object).length).toBeGreaterThanOrEqual(4)
})

it('matches posts in other languages to the story that they are about', async () => {
  const posts = [
    ['de', 'In China leben immer mehr Menschen mit HIV, 14 % mehr als im Vorjahr. Warum spricht niemand darüber?'],
    ['ru', 'В Китае число заболевших ВИЧ и СПИД выросло на 14 %, и почти все заразились половым путём.'],
    ['ar', 'ارتفع عدد المصابين بفيروس الإيدز في الصين بنسبة 14 في المئة وهذا أمر مقلق جدا'],
    ['de', 'In China wurde gestern eine neue Brücke über das Meer eröffnet, die längste der Welt.'],
  ].map(([language = '', text], i) => ({
    ...{ platform: 'bluesky', post_id: `${language}${i}`, author: `author ${i}`, text },
    created_at: new Date().toISOString(),
  }))
  const file = join(story.home, 'languages-posts.jsonl')
  await writeFile(file, asJsonLines(posts))
  await story.cli('import', 'posts', file, '--namespace', 'languages-test', '--wait')
  const [cluster_id = ''] = [...members].find(([, found]) => eventOf(found) === 'bbc.381669') ?? []

  const body = await until('the posts are in the story', async () => {
    const found = await story.get(`/echo/v1/echo/story/${cluster_id}`)
    return found.status === 200 ? found.body : null
  })

  expect(body['enrichments']).toMatchObject([{ comment_count_analyzed: 3, public_entities: ['China'] }])
})

describe('search across languages', () => {
  const search = async (query: string, parameters = '') => {
    const { body } = await story.get(`/layer0/v1/search?query=${encodeURIComponent(query)}${parameters}`)
    return body['results'] as { readonly article_id: string; readonly language: string }[]
  }
  const inLanguage = (language: string) => texts.filter((text) => text.language === language)

  it.each(['de', 'es', 'ru', 'zh', 'ar'])('finds the English report for a headline in %s', async (language) => {
    for (const { event, title } of inLanguage(language)) {
      const found = (await search(title, '&limit=14')).map(({ article_id }) => textOf.get(article_id))

      expect(found.some((text) => text?.language === 'en' && text.event === event)).toBe(true)
    }
  })

  it('lists all English articles first for an English headline, then reports in other languages', async () => {
    const english = inLanguage('en')
    const recognised = await Promise.all(english.map(({ title }) => languageOf(title)))
    const headlines = english.filter((_, i) => recognised[i] === 'en').slice(0, 3)

    expect(headlines).not.toEqual([])
    for (const { title } of headlines) {
      const languages = (await search(title, '&limit=20')).map(({ language }) => language)

      expect(languages.slice(0, english.length)).toEqual(english.map(() => 'en'))
      expect(languages.slice(english.length)).not.toContain('en')
    }
  })

  it('returns only articles in the requested languages', async () => {
    const [title = ''] = inLanguage('en').map((text) => text.title)
    const languages = (await search(title, '&limit=20&languages=zh,ar')).map(({ language }) => language)

    expect(new Set(languages)).toEqual(new Set(['ar', 'zh']))
  })
})
