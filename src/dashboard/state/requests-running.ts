import { signal } from '@preact/signals'

/** How many questions are under way. */
export const requestsRunning = signal(0)
