import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useAnswer, type ServiceReply } from '../state/answer.ts'
import { key } from '../state/session.ts'
import { mayWrite } from './requests.ts'

/** Per API key, whether it may change monitors. */
const access = signal<ReadonlyMap<string, boolean>>(new Map())

/** Whether the key may change monitors. It is requested once per key. */
export function useWriteAccess(): ServiceReply<boolean> {
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
  return known === undefined ? reply : { kind: 'known', value: known }
}

/** Says that the key is read-only. */
export const ReadOnly = ({ children }: { readonly children?: ComponentChildren }) => (
  <p class="notice">
    This key is read-only. {children} Another key, created without <code>--read-only</code>, can create and change
    monitors.
  </p>
)
