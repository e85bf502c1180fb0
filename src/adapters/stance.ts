import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { linearStance, type LearnedStance, parseStanceWeights } from '../language/stance/linear-stance.ts'
import { projectPath } from '../project-path.ts'

/** What `models/stance/train.ts` has learned; its name has the first 12 hex digits of the file's SHA-256. */
export function readStanceModel(file = projectPath('models/stance/weights.json')): LearnedStance {
  const json = readFileSync(file)
  const hash = createHash('sha256').update(json).digest('hex').slice(0, 12)
  return linearStance(`stance:${hash}`, parseStanceWeights(json.toString('utf8')))
}
