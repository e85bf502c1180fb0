import { readFileSync } from 'node:fs'
import { linesOf, textOf } from '../../src/quality/labelled-file.ts'
import { asJsonl, datedSample } from '../pipeline/dated-sample.ts'
import { SAMPLE, type WorkChunk } from '../chaos/work.ts'
import { OWN_NAMESPACE } from './stores.ts'

/** The namespace in the stores `a` and `b`. */
export const COPIED_NAMESPACE = 'chaos'

/** Articles of an import. */
const AT_ONCE = 6

/**
 * The articles of a JSONL file (`.gz` too), or of the sample with dates, once. Every third part is for the namespace with a
 * store of its own.
 */
export function* importsOf(file: string | undefined): Generator<WorkChunk> {
  const text = file === undefined ? asJsonl(datedSample(SAMPLE)) : textOf(readFileSync(file))
  const lines = linesOf(text).filter((line) => line !== '')
  for (let from = 0; from < lines.length; from += AT_ONCE) {
    const some = lines.slice(from, from + AT_ONCE)
    yield {
      name: `part-${from}.jsonl`,
      namespace: (from / AT_ONCE) % 3 === 2 ? OWN_NAMESPACE : COPIED_NAMESPACE,
      jsonl: some.join('\n'),
      articles: some.length,
    }
  }
}
