import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { projectPath } from '../../config/project-path.ts'
import { SPREAD } from '../../views/shards.ts'
import { analystViews, viewsDocument } from './views.ts'

it('docs/analyst-views.md is what the views are: names and types change in no other way than by changing it', () => {
  expect(readFileSync(projectPath('docs/analyst-views.md'), 'utf8')).toBe(viewsDocument(analystViews()))
})

it('names the namespace at every read of a table that may be on shards, where row policies do not apply', () => {
  const reads = new RegExp(`\\{\\{facts\\}\\}\\.(?:${SPREAD.join('|')})\\b(.{0,60})`, 'gs')
  const found = analystViews().flatMap(({ sql }) => [...sql.matchAll(reads)].map(([, next]) => next))
  expect(found).toHaveLength(2)
  for (const next of found) expect(next).toMatch(/^( FINAL)?\nWHERE namespace = '\{\{namespace\}\}' AND /)
})
