import { readCredibility, readGenreModel, readStanceModel, clusteringModel } from '../adapters/model-files.ts'
import { analyse, type ReadingTools } from '../language/analysis/analyse.ts'
import { type QuickFiles, openQuickFiles } from '../language/recogniser/quick-tagger.ts'
import { openTagLexicon } from '../language/tokens/part-of-speech.ts'
import { type TokenReading, vocabulary } from '../language/tokens/tokens.ts'
import { stateBudgets } from '../config/state-budgets.ts'
import type { StageDependencies } from '../pipeline.ts'
import { isNamed } from '../events/articles.ts'
import { f32, i8, NO_VECTOR, type Vector } from '../events/vector.ts'
import { isReadAsEnglish, languageOfShortText } from '../language/language-of.ts'
import type { CrossEncoder, CrossText } from '../ports/cross-encoder.ts'
import { SENTENCE_MEAN, sentenceMeans } from '../language/sentence-means.ts'
import type { ClusteredDependencies } from '../stages/clustered/stage.ts'
import { stem } from '../stages/clustered/tokens.ts'
import { withoutAddresses, type ReadText } from '../stages/enriched/observed-posts.ts'
import { deliveredParts } from './delivery.ts'
import type { Wiring } from '../ports/wiring.ts'

/** The dependencies of the Layer 1 analysis. */
export const readingOf = async (wiring: Wiring): Promise<ReadingTools> => ({
  encoder: await wiring.encoder(),
  reader: await wiring.reader(),
  crossReader: await wiring.crossReader(),
  lists: quickFiles(),
})

/** The dependencies of the stages: models and limits of this configuration, each loaded once. */
export function stageDependencies(wiring: Wiring): StageDependencies {
  const { config } = wiring
  const budgets = stateBudgets(config)
  return {
    scored: async () => ({
      encoder: await wiring.encoder(),
      crossEncoder: await wiring.crossEncoder(),
      credibility: readCredibility(config.quality.credibilityFile),
      genres: readGenreModel(),
      tokens: tokenReading(quickFiles()),
      gate: config.quality.gate,
    }),
    analyzed: () => readingOf(wiring),
    clustered: async () => clusteredParts(wiring),
    enriched: async () => {
      const tools = { ...(await readingOf(wiring)), crossEncoder: await wiring.crossEncoder() }
      return {
        read: (texts) => readPosts(tools, texts),
        stance: readStanceModel(),
        budget: budgets.enriched,
        textMs: config.postTextMs,
      }
    },
    linked: async () => ({ budget: budgets.linked }),
    transitioned: async () => ({ numbers: config.lifecycle, budget: budgets.transitioned }),
    detected: async () => ({ budget: budgets.detected }),
    ...deliveredParts(wiring),
    matched: async () => ({ budget: budgets.matched }),
    changed: async () => ({ budget: budgets.changed }),
  }
}

/** The dependencies of the clusterer, separate because quality measurements need only these. */
export function clusteredParts({ config }: Pick<Wiring, 'config'>): ClusteredDependencies {
  const { clustered: budget, texts } = stateBudgets(config)
  return { ...clusteringModel(), budget, texts }
}

/** Includes the word counts learned by the clusterer, by stem. */
function tokenReading(quick: QuickFiles): TokenReading {
  const { words, entities } = clusteringModel().idf
  return { quick, lexicon: openTagLexicon(), vocabulary: vocabulary({ words, names: entities, stem }) }
}

interface PostTools extends ReadingTools {
  /** `null` if only English is read. */
  readonly crossEncoder: CrossEncoder | null
}

/**
 * Analyses posts with the same recogniser, names and sentiment as articles. Their vectors are of the encoders, because
 * they are compared with the vectors of stories.
 */
export async function readPosts(tools: PostTools, texts: readonly string[]): Promise<readonly ReadText[]> {
  const { encoder, crossEncoder } = tools
  const undated = await Promise.all(
    texts.map(async (text) => ({
      text,
      language: await languageOfShortText(withoutAddresses(text)),
      published: null,
    })),
  )
  const [analyses, means, across] = await Promise.all([
    analyse(tools, undated),
    sentenceMeans(encoder, texts),
    postsAcross(crossEncoder, undated),
  ])
  return analyses.map(({ fields: { sentiment_score, entities } }, i) => ({
    vector: f32(`${encoder.model}:${SENTENCE_MEAN}`, means[i] ?? new Float32Array(encoder.dim)),
    cross_vector: across[i] ?? NO_VECTOR,
    sentiment_score,
    entities: entities.filter(isNamed).map(({ entity_id, name, type }) => ({ entity_id, name, type })),
  }))
}

/** The vectors by which posts in other languages than English are compared with stories; empty for posts in English. */
async function postsAcross(encoder: CrossEncoder | null, posts: readonly CrossText[]): Promise<readonly Vector[]> {
  if (encoder === null) return []
  const foreign = posts.filter(({ language }) => !isReadAsEnglish(language))
  const vectors = await encoder.encode(foreign)
  const found = new Map(foreign.map((post, i) => [post, vectors[i]]))
  return posts.map((post) => {
    const vector = found.get(post)
    return vector === undefined ? NO_VECTOR : i8(`${encoder.model}:cross-post`, encoder.dim, [vector])
  })
}

let loaded: QuickFiles | undefined

/** Word lists, places and weights that need no language model; loaded on first use. */
export const quickFiles = (): QuickFiles => (loaded ??= openQuickFiles().files)
