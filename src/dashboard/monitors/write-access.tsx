import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useAnswer } from '../state/answer.ts'
import { key } from '../state/session.ts'
import { mayWrite } from './requests.ts'

/** Per API key, whether it may change monitors. */
const access = signal<ReadonlyMap<string, boolean>>(new Map())

/** Whether the key may change monitors; `null` until that is known. */
export function useWriteAccess(): boolean | null {
  const reader = key.value
  const known = access.value.get(reader)
  const reply = useAnswer({
    name: known === undefined ? 'scope of the key' : '',
    ask: async (_, abort) => {
      const found = await mayWrite(abort)
      access.value = new Map(access.value).set(reader, found)
      return found
    },
  })
  return known ?? (reply.kind === 'known' ? reply.value : null)
}

/** Says that the key is read-only. */
export const ReadOnly = ({ children }: { readonly children?: ComponentChildren }) => (
  <p class="notice">
    This key is read-only. {children} Another key, created without <code>--read-only</code>, can create and change
    monitors.
  </p>
)
