import type { Tagger } from '../../ports/tagger.ts'
import type { EncoderPool } from './encoder-pool.ts'
import { unpackedTags } from './models.ts'
import { topicOf } from './topic-of.ts'

/** Our own tagger in the processes of a pool; one article is read in one of them. */
export const taggerIn = (pool: EncoderPool, model: string): Tagger => ({
  model,
  tags: async (sentences) => {
    const [rows] = await pool.run([{ kind: 'tags', items: [sentences] }], topicOf(sentences[0]))
    return unpackedTags(rows ?? new Float32Array(), sentences)
  },
})
