import { z } from 'zod'
import { query } from '../query.ts'

/** When the log took the newest fact about a namespace's stories (milliseconds since 1970); 0: there is none. */
export const newestFact = query({
  name: 'stories.newest_fact',
  sql: `
    SELECT greatest(
      (SELECT toUnixTimestamp64Milli(max(_log_at)) FROM members WHERE namespace = {namespace: String}),
      (SELECT toUnixTimestamp64Milli(max(_log_at)) FROM story_changes WHERE namespace = {namespace: String}),
      (SELECT toUnixTimestamp64Milli(max(_log_at)) FROM enrichments WHERE namespace = {namespace: String})
    ) AS newest`,
  params: z.object({}),
  row: z.object({ newest: z.number() }),
})
