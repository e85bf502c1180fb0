import { signal } from '@preact/signals'

/** How many questions are under way. */
export const asking = signal(0)
