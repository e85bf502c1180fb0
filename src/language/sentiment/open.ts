import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { projectPath } from '../../config/project-path.ts'
import { sentiment, type Sentiment } from './sentiment.ts'
import { targetedSentiment, type TargetedSentiment } from './targeted-sentiment.ts'
import { parseTargeted } from './targeted-file.ts'
import { parseSentiment } from './weights-file.ts'

/** The model that needs no more than a sentence's vector and its words, with its committed weights. */
export function openSentiment(): Sentiment {
  const { hash, file } = weights('sentiment.bin.gz')
  return sentiment(`logit:${hash}`, parseSentiment(file))
}

/** The model that reads the encoder's inner states, with its committed weights. */
export function openTargetedSentiment(): TargetedSentiment {
  const { hash, file } = weights('targeted.bin.gz')
  return targetedSentiment(`targeted:${hash}`, parseTargeted(file))
}

function weights(name: string): { readonly hash: string; readonly file: Buffer } {
  const file = gunzipSync(readFileSync(projectPath(`models/sentiment/${name}`)))
  return { hash: createHash('sha256').update(file).digest('hex').slice(0, 12), file }
}
