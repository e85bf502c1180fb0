import { address, link } from '../state/place.ts'
import { MonitorDetail } from './monitor.tsx'
import { MonitorList } from './list.tsx'
import { NewMonitor } from './new-monitor.tsx'
import { ReadOnly, useWriteAccess } from './write-access.tsx'

/** The pages of monitors: the list, the form of a new one, and one monitor. Loaded on first use. */
export function MonitorsPage() {
  const { id } = address.value
  const canChange = useWriteAccess()
  return (
    <>
      {id !== '' && (
        <p class="quiet">
          <a href={link('monitors')}>Monitors</a>
        </p>
      )}
      <h1>{id === '' ? 'Monitors' : id === 'new' ? 'New monitor' : 'Monitor'}</h1>
      <Content id={id} canChange={canChange} />
    </>
  )
}

interface ContentProperties {
  readonly id: string
  readonly canChange: boolean | null
}

/** Lists are shown before it is known whether the key may change them. */
function Content({ id, canChange }: ContentProperties) {
  if (id === '') return <MonitorList canChange={canChange === true} />
  if (canChange === null) return null
  if (id !== 'new') return <MonitorDetail id={id} canChange={canChange} />
  return canChange ? <NewMonitor /> : <ReadOnly>It cannot create monitors.</ReadOnly>
}
