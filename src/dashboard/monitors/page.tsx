import { Shown } from '../parts/states.tsx'
import type { ServiceReply } from '../state/answer.ts'
import { address, link } from '../state/place.ts'
import { MonitorList } from './list.tsx'
import { MonitorDetail } from './monitor.tsx'
import { NewMonitor } from './new-monitor.tsx'
import { ReadOnly, useWriteAccess } from './write-access.tsx'

/** The pages of monitors: the list, the form of a new one, and one monitor. Loaded on first use. */
export function MonitorsPage() {
  const { id } = address.value
  const access = useWriteAccess()
  // the list is shown before it is known whether the key may change it
  if (id === '') return <MonitorList canChange={access.kind === 'known' ? access.value : null} />
  return (
    <>
      <p class="quiet">
        <a href={link('monitors')}>Monitors</a>
      </p>
      {id === 'new' ? <NewPage access={access} /> : <DetailPage id={id} access={access} />}
    </>
  )
}

interface AccessProperties {
  readonly access: ServiceReply<boolean>
}

const NewPage = ({ access }: AccessProperties) => (
  <>
    <h1>New monitor</h1>
    <Shown reply={access} what="the form">
      {(canChange) => (canChange ? <NewMonitor /> : <ReadOnly>It cannot create monitors.</ReadOnly>)}
    </Shown>
  </>
)

const DetailPage = ({ id, access }: AccessProperties & { readonly id: string }) => (
  <Shown reply={access} what="the monitor">
    {(canChange) => <MonitorDetail id={id} canChange={canChange} />}
  </Shown>
)
