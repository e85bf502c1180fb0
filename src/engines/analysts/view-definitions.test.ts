import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { projectPath } from '../../config/project-path.ts'
import { analystViews, viewsDocument } from './views.ts'

it('docs/analyst-views.md is what the views are: names and types change in no other way than by changing it', () => {
  expect(readFileSync(projectPath('docs/analyst-views.md'), 'utf8')).toBe(viewsDocument(analystViews()))
})
