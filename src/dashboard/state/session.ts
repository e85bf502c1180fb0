import { signal } from '@preact/signals'

const NAME = 'story-key'

/** The reader's key: in this tab alone, gone with it. It is in no address and in no log of the page. Empty: none yet. */
export const key = signal(sessionStorage.getItem(NAME) ?? '')

/** Why the service refused the key that was last given; empty: it did not. */
export const keyRefused = signal('')

export function enter(given: string): void {
  keyRefused.value = ''
  sessionStorage.setItem(NAME, given)
  key.value = given
}

export function leave(because = ''): void {
  sessionStorage.removeItem(NAME)
  key.value = ''
  keyRefused.value = because
}
