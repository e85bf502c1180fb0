import { useState } from 'preact/hooks'
import { Empty, More, Shown } from '../parts/states.tsx'
import { useAnswer } from '../state/answer.ts'
import { link, useTitle } from '../state/place.ts'
import { counted } from '../words/format.ts'
import { readMonitors } from './requests.ts'
import { Row } from './row.tsx'
import { ReadOnly } from './write-access.tsx'

/** Each row requests the newest match of its monitor, so only some rows are shown at first. */
const PAGE_ROWS = 20

interface ListProperties {
  /** `null` until it is known whether the key may change monitors. */
  readonly canChange: boolean | null
}

/** The monitors of the key. */
export function MonitorList({ canChange }: ListProperties) {
  useTitle('Monitors')
  const [turn, setTurn] = useState(0)
  const [shown, setShown] = useState(PAGE_ROWS)
  const [said, setSaid] = useState('')
  const reply = useAnswer({ name: 'monitors', turn, ask: (_, signal) => readMonitors(signal) })
  const changed = (text: string): void => {
    setSaid(text)
    setTurn((before) => before + 1)
  }
  return (
    <>
      <h1>Monitors</h1>
      <p role="status">{said}</p>
      <Shown reply={reply} what="monitors">
        {(monitors) =>
          monitors.length === 0 ? (
            <NoMonitors canChange={canChange} />
          ) : (
            <>
              <div class="beside">
                <span class="quiet">{counted(monitors.length, 'monitor')}</span>
                {canChange === true && <Create>Create a monitor</Create>}
              </div>
              {canChange === false && <ReadOnly />}
              <ul class="results">
                {monitors.slice(0, shown).map((monitor) => (
                  <Row key={monitor.id} {...{ monitor, changed }} canChange={canChange === true} />
                ))}
              </ul>
              <More what="monitors" next={shown < monitors.length ? () => setShown(shown + PAGE_ROWS) : null} />
            </>
          )
        }
      </Shown>
    </>
  )
}

const Create = ({ children }: { readonly children: string }) => (
  <a class="button" href={link('monitors', 'new')}>
    {children}
  </a>
)

const NoMonitors = ({ canChange }: ListProperties) => (
  <Empty title="No monitors yet">
    <p>
      A monitor is a saved search over stories. Each story that meets its conditions is listed once, and can be sent to
      Slack, Microsoft Teams or an e-mail address, or read as a feed.
    </p>
    {canChange === true && <Create>Create the first monitor</Create>}
    {canChange === false && <ReadOnly />}
  </Empty>
)
