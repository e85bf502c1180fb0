import { retryAfterSeconds } from '../../domain/retry-after.ts'
import type { WebAnswer } from './web.ts'

/** Why a request gave no document. */
export interface NoDocument {
  readonly outcome: 'limited' | 'failed' | 'refused' | 'gone'
  /** A constant such as `http_503`, `timeout` or `robots`. */
  readonly detail: string
  /** How long the server asks to wait, milliseconds; 0 if it does not. */
  readonly retryAfterMs: number
}

const REFUSED = [401, 403, 451]
const LIMITED = [429, 503]
const GONE = 410

/** `null` if the server sent a document. */
export function noDocumentIn(answer: WebAnswer, now: number): NoDocument | null {
  if (answer.kind === 'forbidden') return { outcome: 'refused', detail: answer.detail, retryAfterMs: 0 }
  if (answer.kind === 'no_answer') return { outcome: 'failed', detail: answer.detail, retryAfterMs: 0 }
  const { status, headers } = answer.document
  if (status >= 200 && status <= 299) return null
  const detail = `http_${status}`
  return {
    outcome: outcomeOf(status),
    detail,
    retryAfterMs: 1000 * (retryAfterSeconds(headers['retry-after'], now) ?? 0),
  }
}

function outcomeOf(status: number): NoDocument['outcome'] {
  if (status === GONE) return 'gone'
  if (REFUSED.includes(status)) return 'refused'
  return LIMITED.includes(status) ? 'limited' : 'failed'
}
