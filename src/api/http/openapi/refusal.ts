import { PROBLEMS, type Code } from '../problem.ts'
import { responseHeaders } from './headers.ts'

/** The refusals of one status: those that stand alone are components, so that a document says each once. */
export const refusal = (codes: readonly Code[]) =>
  codes.length === 1 ? { $ref: `#/components/responses/${codes.join()}` } : refusalResponse(codes)

/** Answered before the caller is known. */
const WITHOUT_KEY: ReadonlySet<Code> = new Set([
  'bad_request',
  'invalid_api_key',
  'request_timeout',
  'expectation_failed',
  'headers_too_large',
])

/** `codes` are of one status. */
export const refusalResponse = (codes: readonly Code[]) => ({
  description: codes.map((code) => `\`${code}\`: ${PROBLEMS[code].when}`).join(' '),
  headers: responseHeaders({ keyed: !codes.some((code) => WITHOUT_KEY.has(code)), refusals: codes }),
  content: {
    'application/problem+json': {
      schema: { $ref: '#/components/schemas/Problem' },
      examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
    },
  },
})
