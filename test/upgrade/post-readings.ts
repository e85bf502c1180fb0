import { z } from 'zod'
import { ENTITY_TYPES } from '../../src/events/articles.ts'
import { bf16, f32, NO_VECTOR, vectors } from '../../src/events/vector.ts'
import type { ReadText } from '../../src/stages/enriched/observed-posts.ts'

const Reading = z.object({
  text: z.string(),
  model: z.string(),
  /** Base64, bfloat16. */
  vector: z.string(),
  sentiment_score: z.number(),
  entities: z.array(z.object({ entity_id: z.string(), name: z.string(), type: z.enum(ENTITY_TYPES) })),
})

/** What the models said about each post, as JSON. */
export function readingText(readings: ReadonlyMap<string, ReadText>): Buffer {
  const lines = [...readings].map(([text, { vector, sentiment_score, entities }]): z.input<typeof Reading> => ({
    text,
    model: vector.model,
    vector: bf16(vector.model, vector.dim, vectors(vector)).data.toString('base64'),
    sentiment_score,
    entities: entities.map(({ entity_id, name, type }) => ({
      entity_id,
      name,
      type: z.enum(ENTITY_TYPES).parse(type),
    })),
  }))
  return Buffer.from(JSON.stringify(lines))
}

/** Reads posts as the models did when the log was recorded. */
export function readAsRecorded(json: Buffer): (texts: readonly string[]) => Promise<readonly ReadText[]> {
  const known = new Map(
    z
      .array(Reading)
      .parse(JSON.parse(json.toString('utf8')))
      .map(({ text, model, vector, ...rest }) => {
        const data = Buffer.from(vector, 'base64')
        const [values = new Float32Array(0)] = vectors({ model, dim: data.length / 2, dtype: 'bf16', data })
        return [text, { ...rest, vector: f32(model, values), cross_vector: NO_VECTOR }]
      }),
  )
  return async (texts) =>
    texts.map((text) => {
      const found = known.get(text)
      if (found === undefined) throw new Error('the models have not read this post')
      return found
    })
}
