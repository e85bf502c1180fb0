import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { projectPath } from '../config/project-path.ts'
import { QualityRecord, type QualityRun } from '../domain/quality/figures.ts'
import { withFigures } from './record.ts'

const text = (path: string): string => readFileSync(projectPath(path), 'utf8')
const page = text('docs/quality.md')
const committed = QualityRecord.parse(JSON.parse(text('docs/quality.json')))

const aRun = (value: number): QualityRun => ({
  measured_at: '2026-11-21',
  models: ['tagger:a'],
  figures: [{ name: 'ner/dev/a.bio.gz', measure: 'span_f1', value, n: 7 }],
})

it('shows a reader of docs/quality.md exactly what docs/quality.json records', () => {
  expect(page).toBe(withFigures(page, committed))
})

it('has a word on every set that is measured', () => {
  const explained = [...committed.sets.figures, ...committed.gate.figures].filter(
    ({ name }) => !page.includes(`| ${name.replace(/\.(?:bio|jsonl)\.gz$/, '')} |`),
  )

  expect(explained).toEqual([])
})

it('puts new figures in the place of the old and leaves the rest', () => {
  const before = withFigures(page, { sets: aRun(0.5), gate: aRun(0.6) })

  const after = withFigures(before, { sets: aRun(0.7), gate: aRun(0.6) })

  expect(after).toContain('Measured 2026-11-21 with `tagger:a`.')
  expect(after).toBe(before.replace('| 0.5000 | 7 |', '| 0.7000 | 7 |'))
})

it('refuses a page without a place for them', () => {
  expect(() => withFigures('# Quality', committed)).toThrow('no place for the figures')
})
