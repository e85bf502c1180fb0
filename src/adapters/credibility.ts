import { readFileSync } from 'node:fs'
import { parseCredibility, type Credibility } from '../language/quality/credibility.ts'
import { projectPath } from '../project-path.ts'

/** The table of source credibility: the shipped one, or a file of the same form. */
export const readCredibility = (file = projectPath('models/credibility/domains.json')): Credibility =>
  parseCredibility(readFileSync(file, 'utf8'))
