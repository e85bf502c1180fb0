import { z } from '@hono/zod-openapi'
import { GENRES } from '../../events/articles.ts'

/** Of an article in an answer; optional, so that clients made before it existed stay valid. */
export const genre = z.enum(GENRES).optional().openapi({
  description: 'Style of the article. `report` for articles stored before genres existed.',
})
