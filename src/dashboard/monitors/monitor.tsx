import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Shown } from '../parts/states.tsx'
import { useAnswer } from '../state/answer.ts'
import { choose, parameter, useTitle } from '../state/place.ts'
import type { ShownMonitor } from './answers.ts'
import { Channels } from './channels.tsx'
import { conditionsSentence } from './conditions-sentence.ts'
import { FeedLink } from './feed-link.tsx'
import { Form } from './form.tsx'
import { Matches } from './matches.tsx'
import { formOf } from './monitor-form.ts'
import { change, pathOf, readMonitor } from './requests.ts'

interface MonitorDetailProperties {
  readonly id: string
  /** Shows the form. */
  readonly canChange: boolean
}

/** One monitor: its form, channels, feed and matches. */
export function MonitorDetail({ id, canChange }: MonitorDetailProperties) {
  const [turn, setTurn] = useState(0)
  const [isNew] = useState(parameter('part') === 'created')
  useEffect(() => {
    if (isNew) choose({ part: '' }, 'slide') // the address may be shared or loaded again
  }, [])
  const reply = useAnswer({ name: `monitor ${id}`, turn, ask: (_, signal) => readMonitor(id, signal) })
  useTitle(reply.kind === 'known' ? reply.value.name : 'Monitor')
  const changed = (): void => setTurn((before) => before + 1)
  return (
    <Shown reply={reply} what="the monitor">
      {(monitor) => (
        <>
          <div class="head">
            <h1>{monitor.name}</h1>
            <span class={monitor.status === 'active' ? 'state ok' : 'state'}>{monitor.status}</span>
          </div>
          {isNew && <p role="status">The monitor is created. It matches stories from now on.</p>}
          <Parts {...{ monitor, canChange, changed }}>
            <Channels {...{ monitor, canChange, changed }} />
            {canChange && <FeedLink {...{ monitor, changed }} />}
            <Matches id={id} />
          </Parts>
        </>
      )}
    </Shown>
  )
}

interface PartsProperties {
  readonly monitor: ShownMonitor
  readonly canChange: boolean
  readonly changed: () => void
  readonly children: ComponentChildren
}

function Parts({ monitor, canChange, changed, children }: PartsProperties) {
  if (!canChange) {
    return (
      <>
        <p>{conditionsSentence(monitor.conditions)}</p>
        <Times monitor={monitor} />
        {children}
      </>
    )
  }
  return (
    <Form
      initial={formOf(monitor)}
      action="Save changes"
      save={async (body) => change({ method: 'patch', path: pathOf(monitor.id), body })}
      saved={changed}
    >
      {children}
    </Form>
  )
}

function Times({ monitor: { quiet_hours, digest_at, time_zone, max_per_day } }: { readonly monitor: ShownMonitor }) {
  const texts = [
    ...(quiet_hours === null ? [] : [`quiet hours from ${quiet_hours.start} to ${quiet_hours.end}`]),
    ...(digest_at === null ? [] : [`a digest at ${digest_at}`]),
    `at most ${max_per_day} messages a day to each channel`,
  ]
  return (
    <p class="quiet">
      Sending: {texts.join(', ')} ({time_zone}).
    </p>
  )
}
