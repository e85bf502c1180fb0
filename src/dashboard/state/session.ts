import { signal } from '@preact/signals'

const NAME = 'story-key'

/** The API key, empty if there is none. It is stored for this tab only and never appears in an address or a log. */
export const key = signal(sessionStorage.getItem(NAME) ?? '')

/** Why the service rejected the last key; empty if it did not. */
export const keyRefused = signal('')

export function signIn(given: string): void {
  keyRefused.value = ''
  sessionStorage.setItem(NAME, given)
  key.value = given
}

export function signOut(because = ''): void {
  sessionStorage.removeItem(NAME)
  key.value = ''
  keyRefused.value = because
}
