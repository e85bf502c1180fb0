import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { parseCategories } from '../language/categories/categories.ts'
import { scoreCategories, scoreOf, categoryArticles, isHeldOut, LEARNED_FOLDS } from './categories.ts'

const folder = mkdtempSync(join(tmpdir(), 'categories-'))
afterAll(() => {
  rmSync(folder, { recursive: true })
})

const file = (name: string, text: string): string => {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}
const lines = (rows: readonly object[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join('')

const WEEK_MS = 7 * 86_400_000
const weekly = (topic: string, weeks: number) =>
  Array.from({ length: weeks }, (_, i) => ({
    ...{ id: `${topic}${i}`, title: `On ${topic}, ${i}`, text: `A text on ${topic}.`, topic },
    published_date: new Date(Date.UTC(2016, 0, 4) + i * WEEK_MS).toISOString(),
  }))

describe('what labels say', () => {
  it('of a topic, of a desk, of a headline', () => {
    const [topic] = categoryArticles(file('topic.jsonl', lines(weekly('cybersecurity', 1))))
    expect(topic?.labels).toEqual({ technology: true, finance: false, health: false })
    const desk = { id: '1', title: 'A phone', category: 't', story: 's' }
    expect(categoryArticles(file('desk.jsonl', lines([desk])))[0]?.labels).toEqual({
      ...{ technology: true, politics: false, geopolitics: false, health: false },
    })
    const [headline] = categoryArticles(file('some.tsv', 'categories\theadline\nhealth finance\tDrug maker sold\n'))
    expect(headline).toMatchObject({
      title: 'Drug maker sold',
      labels: { technology: false, politics: false, finance: true, geopolitics: false, health: true },
    })
  })

  it('is nothing where a file has neither', () => {
    expect(categoryArticles(file('plain.jsonl', lines([{ id: '1', title: 'A title', text: 'A text.' }])))).toEqual([])
  })
})

describe('what is held out', () => {
  it('is a fifth of the weeks, each of them whole, whatever was written in it', () => {
    const one = categoryArticles(file('a.jsonl', lines(weekly('taxes', 500))))
    const other = categoryArticles(file('b.jsonl', lines(weekly('elections', 500))))

    expect(one.map(({ fold }) => fold)).toEqual(other.map(({ fold }) => fold))
    const share = one.filter(isHeldOut).length / one.length
    expect(share).toBeGreaterThan(0.15)
    expect(share).toBeLessThan(0.25)
    expect(one.filter((article) => isHeldOut(article) && LEARNED_FOLDS.includes(article.fold))).toEqual([])
    expect(new Set(one.map(({ fold }) => fold))).toEqual(new Set([0, ...LEARNED_FOLDS]))
  })
})

describe('the score', () => {
  const article = (is: boolean | undefined, predicted: boolean) => ({
    labels: is === undefined ? {} : { health: is },
    predicted: predicted ? (['health'] as const) : [],
  })

  it('is counted over the articles whose label says something', () => {
    const predicted = [
      ...Array<boolean>(3)
        .fill(true)
        .map((is) => article(is, true)),
      article(false, true),
    ]
    const rest = [article(true, false), article(true, false), article(true, false), article(false, false)]
    expect(scoreOf('health', [...predicted, ...rest, article(undefined, true), article(undefined, false)])).toEqual([
      { category: 'health', precision: 0.75, recall: 0.5, f1: 0.6, n: 6 },
    ])
    expect(scoreOf('health', [article(true, false)])).toEqual([
      { category: 'health', precision: 0, recall: 0, f1: 0, n: 1 },
    ])
    expect(scoreOf('health', [article(false, true)])).toEqual([])
  })

  it('is of held-out articles alone, told as the service tells them', async () => {
    const rows = [...weekly('taxes', 100), ...weekly('terrorism', 100)]
    const path = file('both.jsonl', lines(rows))
    const axis = (i: number) => Float32Array.from({ length: 384 }, (_, j) => (i === j ? 1 : 0))
    const categories = parseCategories(
      JSON.stringify({
        encoder: 'test',
        categories: [{ name: 'finance', threshold: 0.5, bias: -0.5, weights: [...axis(0)] }],
      }),
    )
    // Every third article on taxes gets the vector of another topic.
    const leads = (articles: readonly { readonly title: string }[]) =>
      Promise.resolve(
        articles.map(({ title }) =>
          axis(title.startsWith('On taxes') && Number(title.split(' ').at(-1)) % 3 > 0 ? 0 : 1),
        ),
      )

    const { scores, predictions } = await scoreCategories(path, { encoder: { leads }, categories })

    const held = categoryArticles(path).filter(isHeldOut)
    const taxes = held.filter(({ id }) => id.startsWith('taxes'))
    const seen = taxes.filter(({ title }) => Number(title.split(' ').at(-1)) % 3 > 0)
    expect(scores.find(({ category }) => category === 'finance')).toMatchObject({
      ...{ precision: 1, recall: seen.length / taxes.length, n: taxes.length },
    })
    expect(predictions.split('\n').filter(Boolean)).toHaveLength(held.length)
  })
})
