import { useState } from 'preact/hooks'
import { now } from '../clock.ts'
import { useAnswer } from '../state/answer.ts'
import { link } from '../state/place.ts'
import { ago, titled } from '../words/format.ts'
import type { ShownMonitor } from './answers.ts'
import { channelText } from './channel-text.ts'
import { conditionsSentence } from './conditions-sentence.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { change, pathOf, readMatches, type ChangeResult } from './requests.ts'

interface RowProperties {
  readonly monitor: ShownMonitor
  readonly canChange: boolean
  /** Called after a change, with a text that says what was changed. */
  readonly changed: (text: string) => void
}

/** A monitor in the list. */
export function Row({ monitor, canChange, changed }: RowProperties) {
  const { id, name, conditions, channels, status } = monitor
  return (
    <li>
      <div class="head">
        <h2>
          <a href={link('monitors', id)} data-item>
            {name}
          </a>
        </h2>
        <span class={status === 'active' ? 'state ok' : 'state'}>{status}</span>
      </div>
      <p>{conditionsSentence(conditions)}</p>
      <p class="facts">
        <span>{channels.length === 0 ? 'No channels' : channels.map(channelText).join(', ')}</span>
        <NewestMatch id={id} />
      </p>
      <div class="actions">
        <a href={link('monitors', id, { part: 'matches' })}>
          Matches<span class="unseen"> of {name}</span>
        </a>
        {canChange && <Changes {...{ monitor, changed }} />}
      </div>
    </li>
  )
}

function NewestMatch({ id }: { readonly id: string }) {
  const reply = useAnswer({
    name: `newest match of ${id}`,
    ask: (_, signal) => readMatches(id, { limit: 1, cursor: null }, signal),
  })
  if (reply.kind !== 'known') return null
  const [newest] = reply.value.matches
  if (newest === undefined) return <span>No match yet</span>
  return (
    <span>
      Newest match {ago(newest.matched_at, now())}:{' '}
      <a href={link('stories', newest.story_id)}>{titled(newest.title)}</a>
    </span>
  )
}

function Changes({ monitor: { id, name, status }, changed }: Pick<RowProperties, 'monitor' | 'changed'>) {
  const [isAsking, ask] = useState(false)
  const [error, setError] = useState('')
  const path = pathOf(id)
  const done = (result: ChangeResult<unknown>, text: string): boolean => {
    setError(result.kind === 'failed' ? result.message : '')
    if (result.kind === 'done') changed(text)
    return result.kind === 'done'
  }
  const toggle = async (): Promise<void> => {
    const next = status === 'active' ? 'paused' : 'active'
    const text = next === 'paused' ? `${name} is paused.` : `${name} is active again.`
    done(await change({ method: 'patch', path, body: { status: next } }), text)
  }
  const remove = async (): Promise<void> => {
    if (done(await change({ method: 'delete', path }), `${name} is deleted.`)) document.querySelector('main')?.focus()
  }
  return (
    <>
      <button type="button" onClick={() => void toggle()}>
        {status === 'active' ? 'Pause' : 'Resume'}
        <span class="unseen"> {name}</span>
      </button>
      <button type="button" onClick={() => ask(true)}>
        Delete<span class="unseen"> {name}</span>
      </button>
      {error !== '' && (
        <span class="bad" role="alert">
          {error}
        </span>
      )}
      {isAsking && (
        <ConfirmDialog
          title={`Delete ${name}?`}
          text="It matches no more stories. Its channels, its feed and its matches are removed."
          action="Delete monitor"
          confirm={() => void remove()}
          closed={() => ask(false)}
        />
      )}
    </>
  )
}
