import { readFileSync } from 'node:fs'
import { parseCredibility, type Credibility } from '../language/quality/credibility.ts'
import { projectPath } from '../config/project-path.ts'

/** The shipped table of source credibility, with an operator's file of the same form laid over it. */
export const readCredibility = (override?: string): Credibility =>
  parseCredibility(
    readFileSync(projectPath('models/credibility/domains.json'), 'utf8'),
    override === undefined ? undefined : readFileSync(override, 'utf8'),
  )
