import type { components } from '../../../sdk/src/index.ts'

/** One story, whole. */
export type Story = components['schemas']['ClusterDetail']
