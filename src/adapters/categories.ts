import { readFileSync } from 'node:fs'
import { parseCategories, type Categories } from '../language/categories/categories.ts'
import { projectPath } from '../config/project-path.ts'

/** What `models/categories/train.ts` has learned. */
export const readCategories = (file = projectPath('models/categories/weights.json')): Categories =>
  parseCategories(readFileSync(file, 'utf8'))
