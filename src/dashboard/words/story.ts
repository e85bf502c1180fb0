import type { components } from '../../../sdk/src/index.ts'

/** One story, whole. */
export type DashboardStory = components['schemas']['ClusterDetail']
