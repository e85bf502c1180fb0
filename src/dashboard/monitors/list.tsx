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

/** The monitors of the key. */
export function MonitorList({ canChange }: { readonly canChange: boolean }) {
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
      <p role="status">{said}</p>
      <Shown reply={reply} what="monitors">
        {(monitors) =>
          monitors.length === 0 ? (
            <NoMonitors canChange={canChange} />
          ) : (
            <>
              <div class="tally">
                <span class="quiet">{counted(monitors.length, 'monitor')}</span>
                {canChange ? <Create>Create a monitor</Create> : null}
              </div>
              {!canChange && <ReadOnly />}
              <ul class="results">
                {monitors.slice(0, shown).map((monitor) => (
                  <Row key={monitor.id} {...{ monitor, canChange, changed }} />
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

const NoMonitors = ({ canChange }: { readonly canChange: boolean }) => (
  <Empty title="No monitors yet">
    <p>
      A monitor is a saved search over stories. Each story that meets its conditions is listed once, and can be sent to
      Slack, Microsoft Teams or an e-mail address, or read as a feed.
    </p>
    {canChange ? <Create>Create the first monitor</Create> : <ReadOnly />}
  </Empty>
)
