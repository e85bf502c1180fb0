import {
  type ArticleAnalyzed,
  articlesAnalyzed,
  type ArticleScored,
  articlesScored,
  type ArticleFacts,
} from '../../events/articles.ts'
import { inBytes } from '../../events/vector.ts'
import { derivedEnvelope } from '../../state/derived-envelope.ts'
import { STAGES } from '../../events/stages.ts'
import { analyse, type Analysis, type AnalysisTools } from '../../language/analysis/analyse.ts'
import { emit, type Input, skip, type Stage } from '../../runtime/shapes.ts'

export type AnalyzedDependencies = AnalysisTools

/** Layer 1: sentences and their vectors, names, places and sentiment of every article that passed the gate. */
export const analyzed = (reading: AnalyzedDependencies): Stage<ArticleScored, ArticleAnalyzed> => ({
  name: STAGES.analyzed.stage,
  version: STAGES.analyzed.version,
  reads: articlesScored,
  writes: articlesAnalyzed,
  handle: async (inputs) => {
    const forwarded = inputs.filter(({ event }) => event.forwarded)
    const articles = forwarded.map(({ event: { text, language, published_date: published } }) => ({
      ...{ text, language, published },
    }))
    const analyses = new Map((await analyse(reading, articles)).map((analysis, i) => [forwarded[i], analysis]))
    return inputs.map((input) => {
      const analysis = analyses.get(input)
      return analysis === undefined ? skip('below_gate') : emit(analyzedArticle(input, analysis))
    })
  },
})

function analyzedArticle({ event, place }: Input<ArticleScored>, analysis: Analysis): ArticleAnalyzed {
  return {
    ...derivedEnvelope(STAGES.analyzed, { event, place }),
    ...factsOf(event),
    direct: false,
    ...analysis.fields,
  }
}

/** The article fields that every later event repeats. `articles.scored` keeps the vectors in float32. */
export const factsOf = (event: ArticleFacts): ArticleFacts => ({
  article_id: event.article_id,
  content_hash: event.content_hash,
  url: event.url,
  title: event.title,
  source: event.source,
  author: event.author,
  published_date: event.published_date,
  dated: event.dated,
  text: event.text,
  language: event.language,
  quality_score: event.quality_score,
  genre: event.genre,
  semantic_hash: event.semantic_hash,
  title_vector: inBytes(event.title_vector),
  lead_vector: inBytes(event.lead_vector),
  cross_title_vector: event.cross_title_vector,
  cross_vector: event.cross_vector,
})
