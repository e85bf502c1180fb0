import { InferenceClient } from '@huggingface/inference'
import pMap from 'p-map'
import { z } from 'zod'
import type { Encoder } from '../../ports/encoder.ts'
import { COMPOSED_KINDS, composedPassages } from '../composed-encoder.ts'
import { DIM } from '../vectors.ts'
import { answerOf, callOptions, CONCURRENT_CALLS, type EndpointOptions } from './endpoint.ts'

/** The default maximum of text-embeddings-inference per call. */
const CALL_TEXTS = 32
/** About 126 word pieces of English. Windows are cut by characters because only the endpoint knows the word pieces. */
const WINDOW_CHARS = 640
const TITLE_CHARS = 300

/**
 * Vectors from an endpoint with the API of text-embeddings-inference. Every failure throws, so that the caller retries.
 */
export function huggingFaceEncoder({ url, token, model, timeoutMs }: EndpointOptions): Encoder {
  const client = new InferenceClient(token)

  const call = async (texts: readonly string[]): Promise<readonly Float32Array[]> => {
    const given = { endpointUrl: url, inputs: [...texts], normalize: true, truncate: true }
    const calling = client.featureExtraction(given, callOptions(timeoutMs))
    return unitVectors(await answerOf(calling, `The encoder endpoint ${url}`, 'vectors'), texts.length)
  }

  const encode = async (texts: readonly string[]): Promise<readonly Float32Array[]> => {
    const parts = Array.from({ length: Math.ceil(texts.length / CALL_TEXTS) }, (_, i) =>
      texts.slice(i * CALL_TEXTS, (i + 1) * CALL_TEXTS),
    )
    return (await pMap(parts, call, CONCURRENT_CALLS)).flat()
  }

  const whole: Pick<Encoder, 'sentences' | 'leads'> = {
    sentences: (texts) => encode(texts.map((text) => cut(text, WINDOW_CHARS))),
    leads: (articles) =>
      encode(articles.map(({ title, body }) => cut(`${cut(title, TITLE_CHARS)}\n${body}`.trimStart(), WINDOW_CHARS))),
  }
  return {
    model,
    dim: DIM,
    kinds: COMPOSED_KINDS,
    ...whole,
    passages: (passages) => composedPassages(whole, passages),
    close: () => Promise.resolve(),
  }
}

/** Never splits a surrogate pair and never returns an empty text, which endpoints reject. */
const cut = (text: string, length: number): string => text.slice(0, length).replace(/\p{Cs}$/u, '') || ' '

const Answer = z.array(z.array(z.number()).length(DIM))

/** Parses an endpoint's response into unit vectors. Throws if it has another shape. */
function unitVectors(answer: unknown, expected: number): Float32Array[] {
  const parsed = Answer.safeParse(answer)
  if (!parsed.success) {
    const first = parsed.error.issues[0]
    throw new Error(`The encoder endpoint did not return vectors of ${DIM} numbers: ${first?.message ?? ''}`)
  }
  if (parsed.data.length !== expected) {
    throw new Error(`The encoder endpoint returned ${parsed.data.length} vectors for ${expected} texts`)
  }
  return parsed.data.map(unit)
}

function unit(values: readonly number[]): Float32Array {
  const norm = Math.hypot(...values)
  if (!(norm > 0)) throw new Error('The encoder endpoint returned a vector of length zero')
  return Float32Array.from(values, (value) => value / norm)
}
