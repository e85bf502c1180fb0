import { z } from '@hono/zod-openapi'

export const SubmittedJob = z
  .object({
    job_id: z.string(),
    article_id: z.string().optional().describe('Present in the submit response and once the job has completed.'),
    status: z.enum(['queued', 'processing', 'completed', 'failed']),
    forwarded: z
      .boolean()
      .optional()
      .describe(
        'Present once completed. Whether the article proceeds to Layer 1; `false` if its quality is below ' +
          'the gate.',
      ),
    gate_reason: z.string().optional().describe('`passed`, `below_gate` or `private_bypass`.'),
    error: z.string().optional().describe('Present if the job failed.'),
  })
  .openapi('Job')

export type SubmittedJob = z.output<typeof SubmittedJob>

export const Jobs = z.object({ jobs: z.array(SubmittedJob), total: z.int() }).openapi('Jobs')
