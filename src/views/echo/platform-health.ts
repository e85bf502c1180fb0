import { z } from 'zod'
import { moment } from '../instant.ts'
import { query } from '../query.ts'

/** When each platform was last heard of in a namespace: one row a platform that ever was. */
export const platformsHeard = query({
  name: 'echo.platforms',
  sql: `
    SELECT platform, max(fetched_at) AS last_success_at
    FROM enrichments
    WHERE namespace = {namespace: String} AND occurred_at <= {as_of: DateTime64(3, 'UTC')}
    GROUP BY platform
    ORDER BY platform`,
  params: z.object({ as_of: moment }),
  row: z.object({ platform: z.enum(['reddit', 'bluesky', 'twitter']), last_success_at: z.string() }),
})
