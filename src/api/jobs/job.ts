import { z } from '@hono/zod-openapi'

export const SubmittedJob = z
  .object({
    job_id: z.string(),
    article_id: z.string().optional().openapi({ description: 'At submit, and once completed.' }),
    status: z.enum(['queued', 'processing', 'completed', 'failed']),
    forwarded: z.boolean().optional().openapi({
      description: 'Once completed: whether the article goes on to Layer 1. False: its quality is below the gate.',
    }),
    gate_reason: z.string().optional().openapi({ description: '`passed`, `below_gate` or `private_bypass`.' }),
    error: z.string().optional().openapi({ description: 'Present when failed.' }),
  })
  .openapi('Job')

export type SubmittedJob = z.output<typeof SubmittedJob>

export const Jobs = z.object({ jobs: z.array(SubmittedJob), total: z.int() }).openapi('Jobs')
