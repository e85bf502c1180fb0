import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { readGenreModel } from '../adapters/model-files.ts'
import { scoreGenres, genreArticles } from './genre.ts'

const folder = mkdtempSync(join(tmpdir(), 'genre-'))
afterAll(() => {
  rmSync(folder, { recursive: true })
})

function file(...rows: readonly object[]): string {
  const path = join(folder, 'articles.jsonl')
  writeFileSync(path, rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
  return path
}

const LIVE = { id: 'a', title: 'Bridge live updates', url: 'https://example.com/live/bridge', text: 'It closes.' }

describe('the measure of genres', () => {
  it('counts articles that somebody judged, and answers for all', async () => {
    const rows = [
      { ...LIVE, genre: 'live_blog' },
      { ...LIVE, id: 'b', genre: 'report' },
      { ...LIVE, id: 'c' },
    ]

    const { n, score, learned, predictions } = await scoreGenres(file(...rows), readGenreModel())

    expect({ n, accuracy: score.accuracy, learned }).toEqual({ n: 2, accuracy: 0.5, learned: 0 })
    expect(score.classes).toEqual({ live_blog: 2 / 3, report: 0 })
    expect(predictions.split('\n').filter(Boolean)).toHaveLength(3)
  })

  it('knows the labels of the project by their ids, and learns from none that it measures with', async () => {
    const ids = ['jqXon8ImXZ9ulqpp', '9VlWONP08x5w5b5E']
    const rows = ids.map((id) => ({ id, title: 'A title', text: 'A text.' }))

    expect(await genreArticles(file(...rows))).toMatchObject([
      { genre: 'report', learned: null, sample: 'uniform' },
      { genre: null, learned: 'report' },
    ])
  })

  it('says which share of the measured articles was learned from', async () => {
    const { learned } = await scoreGenres(file({ ...LIVE, id: '9VlWONP08x5w5b5E', genre: 'report' }), readGenreModel())

    expect(learned).toBe(1)
  })

  it('says nothing of a file without labels', async () => {
    await expect(scoreGenres(file(LIVE), readGenreModel())).resolves.toMatchObject({ n: null })
  })
})
