import { readFileSync, writeFileSync } from 'node:fs'
import { z } from 'zod'
import type { ArticleAnalyzed } from '../../events/articles.ts'
import { vectors } from '../../events/vector.ts'
import { encoderOf } from '../../stages/clustered/features.ts'
import type { Bases } from './world.ts'

/** With fewer base articles, a world would consist of a few sentences. */
export const MIN_BASES = 50

/** Vectors in base64, as `i8` writes them. */
const File = z.object({
  model: z.string(),
  articles: z.array(z.object({ title: z.string(), text: z.string(), lead: z.base64(), headline: z.base64() })),
})

/** Writes base articles for the process that decides: it needs their vectors, but no model. */
export function writeBases(path: string, articles: readonly ArticleAnalyzed[]): void {
  const [first] = articles
  if (first === undefined) throw new Error('there are no base articles')
  const file: z.infer<typeof File> = {
    model: encoderOf(first.lead_vector),
    articles: articles.map(({ title, text, lead_vector, title_vector }) => ({
      title: title ?? '',
      text,
      lead: lead_vector.data.toString('base64'),
      headline: title_vector.data.toString('base64'),
    })),
  }
  writeFileSync(path, JSON.stringify(file))
}

export function readBases(path: string): Bases {
  const { model, articles } = File.parse(JSON.parse(readFileSync(path, 'utf8')))
  const vectorOf = (base64: string): Float32Array => {
    const data = Buffer.from(base64, 'base64')
    return vectors({ model, dim: data.length, dtype: 'i8', data })[0] ?? new Float32Array()
  }
  return {
    model,
    articles: articles.map(({ title, text, lead, headline }) => ({
      ...{ title, text },
      ...{ leadVector: vectorOf(lead), titleVector: vectorOf(headline) },
    })),
  }
}
