import { z } from 'zod'
import { query } from '../query.ts'

/** When each platform was last heard of in a namespace: one row a platform that ever was. */
export const platformsHeard = query({
  name: 'echo.platforms',
  sql: `
    SELECT platform, max(fetched_at) AS last_success_at
    FROM enrichments
    WHERE namespace = {namespace: String}
    GROUP BY platform
    ORDER BY platform`,
  params: z.object({}),
  row: z.object({ platform: z.enum(['reddit', 'bluesky', 'twitter']), last_success_at: z.string() }),
})
