import { readFileSync } from 'node:fs'
import { parseClarityModel, type ClarityModel } from '../language/summary/clarity.ts'
import { projectPath } from '../config/project-path.ts'

/** What `models/summary/train.ts` has learned. */
export const readClarityModel = (file = projectPath('models/summary/weights.json')): ClarityModel =>
  parseClarityModel(readFileSync(file, 'utf8'))
