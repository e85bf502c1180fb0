import { clusteringModel } from '../../src/adapters/model-files.ts'
import { openQuickFiles } from '../../src/language/recogniser/quick-tagger.ts'
import { openTagLexicon } from '../../src/language/tokens/part-of-speech.ts'
import { type TokenReading, vocabulary } from '../../src/language/tokens/tokens.ts'
import { stem } from '../../src/stages/clustered/tokens.ts'

/** What the service chooses tokens with: the committed recogniser, lexicon and counts. */
export function aTokenReading(): TokenReading {
  const { words, entities } = clusteringModel().idf
  return {
    quick: openQuickFiles().files,
    lexicon: openTagLexicon(),
    vocabulary: vocabulary({ words, names: entities, stem }),
  }
}
