import { responseKind, waitSeconds, type ResponseKind } from '../feeds/response-kind.ts'
import type { WebAnswer } from './web.ts'

/** Why a request gave no document. */
export interface NoDocument {
  readonly outcome: 'limited' | 'failed' | 'refused' | 'gone'
  /** A constant such as `http_503`, `timeout` or `robots`. */
  readonly detail: string
  /** How long the server asks to wait, milliseconds; 0 if it does not. */
  readonly retryAfterMs: number
}

/** `null` if the server sent a document. */
export function noDocumentIn(answer: WebAnswer, now: number): NoDocument | null {
  if (answer.kind === 'forbidden') return { outcome: 'refused', detail: answer.detail, retryAfterMs: 0 }
  if (answer.kind === 'no_answer') return { outcome: 'failed', detail: answer.detail, retryAfterMs: 0 }
  if (answer.kind === 'held') return { outcome: 'limited', detail: answer.detail, retryAfterMs: answer.waitMs }
  const outcome = OUTCOMES[responseKind(answer.document)]
  const detail = `http_${answer.document.status}`
  return outcome === null ? null : { outcome, detail, retryAfterMs: 1000 * (waitSeconds(answer.document, now) ?? 0) }
}

/** A page that is not found seldom returns. */
const OUTCOMES: Readonly<Record<ResponseKind, NoDocument['outcome'] | null>> = {
  document: null,
  unchanged: 'failed',
  limited: 'limited',
  refused: 'refused',
  not_found: 'gone',
  gone: 'gone',
  failed: 'failed',
}
