import type { ProducedBy } from './envelope.ts'

/**
 * Name and version of each stage. A stage's name is the last part of its output topic and its consumer group. Name and
 * version are part of every event id, so increase the version if the same input can produce a different output.
 */
export const STAGES = {
  scored: { stage: 'scored', version: '10' },
  analyzed: { stage: 'analyzed', version: '9' },
  clustered: { stage: 'clustered', version: '12' },
  enriched: { stage: 'enriched', version: '6' },
  transitioned: { stage: 'transitioned', version: '2' },
  linked: { stage: 'linked', version: '3' },
  detected: { stage: 'detected', version: '1' },
  matched: { stage: 'matched', version: '1' },
  changed: { stage: 'changed', version: '2' },
  delivered: { stage: 'delivered', version: '1' },
} as const satisfies Record<string, ProducedBy>
