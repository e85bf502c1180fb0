import { InferenceClient } from '@huggingface/inference'
import pMap from 'p-map'
import { z } from 'zod'
import type { SentenceSentiments } from '../composed-reader.ts'
import { answerOf, callOptions, CONCURRENT_CALLS, type EndpointOptions } from './endpoint.ts'

/** More characters than such models read. */
const READ_CHARS = 1_200

const Answer = z.array(z.object({ label: z.string(), score: z.number().min(0).max(1) })).min(1)

/** Scores of the usual three-class labels. Neutral and unknown labels score 0. */
const FEELINGS: Readonly<Record<string, number>> = {
  positive: 1,
  pos: 1,
  label_2: 1,
  negative: -1,
  neg: -1,
  label_0: -1,
}

/**
 * Sentiment of whole sentences from an endpoint with the API of Hugging Face text classification. Every failure throws,
 * so that the caller retries.
 */
export function huggingFaceSentiment({ url, token, model, timeoutMs }: EndpointOptions): SentenceSentiments {
  const client = new InferenceClient(token)

  const score = async (text: string): Promise<number> => {
    if (text.trim() === '') return 0 // endpoints reject blank text; it is neutral
    const given = { endpointUrl: url, inputs: text.slice(0, READ_CHARS), parameters: { top_k: 3 } }
    const calling = client.textClassification(given, callOptions(timeoutMs))
    const parsed = Answer.safeParse(await answerOf(calling, `The sentiment endpoint ${url}`, 'labels'))
    if (!parsed.success) throw new Error(`The sentiment endpoint ${url} did not return labels`)
    const sum = parsed.data.reduce((total, each) => total + each.score * (FEELINGS[each.label.toLowerCase()] ?? 0), 0)
    return Math.max(-1, Math.min(1, sum))
  }

  return { model, scores: (texts) => pMap(texts, score, CONCURRENT_CALLS) }
}
