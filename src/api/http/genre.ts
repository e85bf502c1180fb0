import { z } from '@hono/zod-openapi'
import { GENRES } from '../../events/articles.ts'

/** Of an article in an answer; optional, so that clients made before it existed stay valid. */
export const genre = z.enum(GENRES).optional().openapi({
  description: 'How it is written. `report` also where it was stored before genres existed.',
})
