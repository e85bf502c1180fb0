import type { z } from '@hono/zod-openapi'
import type { FieldError } from './problem.ts'

/** What is wrong with a request, in the caller's own terms: `articles[3].text`, `limit`, `body` for the whole body. */
export const fieldErrors = (error: z.core.$ZodError): readonly FieldError[] =>
  error.issues.map(({ path, message }) => ({ path: fieldPath(path), message }))

function fieldPath([part, ...within]: readonly PropertyKey[]): string {
  const path = within.reduce<string>(
    (whole, step) => whole + (typeof step === 'number' ? `[${step}]` : `.${String(step)}`),
    '',
  )
  return path === '' ? String(part) : path.replace(/^\./, '')
}
