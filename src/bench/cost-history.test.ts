import { copyFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { aTemporaryFolder } from '../../test/builders/temporary-folder.ts'
import { projectPath } from '../config/project-path.ts'
import { costHistory, historyTable, recordCost } from './cost-history.ts'

const cost = {
  articles: 120,
  word_pieces_per_article: 600,
  articles_per_s: 28.04,
  cpu_ms_per_article: 59.9,
  encoder_limit_ratio: 2.5,
  log_bytes_per_article: 24_900,
  store_bytes_per_article: 14_900,
  peak_bytes: 1_990_000_000,
}

it('adds a line with date and machine, and keeps the lines before', async () => {
  const before = await costHistory()
  const file = join(aTemporaryFolder(), 'history.jsonl')
  await copyFile(projectPath('docs/cost-history.jsonl'), file)

  await recordCost(cost, { commit: '0123abcd', now: Date.UTC(2026, 10, 27), file })

  const after = await costHistory(file)
  expect(after.slice(0, -1)).toEqual(before)
  expect(after.at(-1)).toMatchObject({ ...cost, commit: '0123abcd', date: '2026-11-27' })
  expect(historyTable(after).at(-1)).toMatch(/600 +28.0 +60 +2.50 +24.3 +14.6 +1.85$/)
  expect((await readFile(file, 'utf8')).endsWith('}\n')).toBe(true)
})
