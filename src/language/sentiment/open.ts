import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { projectPath } from '../../project-path.ts'
import { sentiment, type Sentiment } from './sentiment.ts'
import { parseSentiment } from './weights-file.ts'

/** The sentiment model with its committed weights. */
export function openSentiment(): Sentiment {
  const file = gunzipSync(readFileSync(projectPath('models/sentiment/sentiment.bin.gz')))
  const hash = createHash('sha256').update(file).digest('hex').slice(0, 12)
  return sentiment(`logit:${hash}`, parseSentiment(file))
}
