import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { ServiceReply } from '../state/asker.ts'
import { Shown } from './states.tsx'

const FAILED = {
  kind: 'refused',
  refusal: { kind: 'down', message: 'A script of this page could not be loaded. Reload the page.', againIn: null },
} as const

/** A page whose script is loaded on first use. After an upgrade of the service its old name may no longer exist. */
export const onDemand = (load: () => Promise<ComponentType>): ComponentType =>
  function OnDemand() {
    const [reply, setReply] = useState<ServiceReply<ComponentType>>({ kind: 'pending' })
    useEffect(() => {
      load().then(
        (value) => setReply({ kind: 'known', value }),
        () => setReply(FAILED),
      )
    }, [])
    return (
      <Shown reply={reply} what="the page">
        {(Page) => <Page />}
      </Shown>
    )
  }
