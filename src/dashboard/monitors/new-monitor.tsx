import { useRef, useState } from 'preact/hooks'
import { link, useTitle, visit } from '../state/place.ts'
import type { ShownMonitor } from './answers.ts'
import { Form } from './form.tsx'
import { channelBody, emptyForm, type ChannelTarget, type MonitorBody } from './monitor-form.ts'
import { NewChannels } from './new-channels.tsx'
import { change, type ChangeResult } from './requests.ts'

/** The form of a new monitor. */
export function NewMonitor() {
  useTitle('New monitor')
  const [channels, setChannels] = useState<readonly ChannelTarget[]>([])
  const create = useCreation()
  return (
    <Form
      initial={emptyForm(Intl.DateTimeFormat().resolvedOptions().timeZone)}
      action="Create monitor"
      save={async (body) => create({ ...body, channels: channels.map(channelBody) })}
      saved={({ id }) => visit(link('monitors', id, { part: 'created' }))}
      more={(errors) => <NewChannels channels={channels} errors={errors.channels} change={setChannels} />}
    />
  )
}

interface CreationBody extends MonitorBody {
  readonly channels: readonly object[]
}

/** Creates a monitor once, also if the response was lost and the form is sent again unchanged. */
function useCreation(): (body: CreationBody) => Promise<ChangeResult<ShownMonitor>> {
  const last = useRef({ text: '', key: '' })
  return async (body) => {
    const text = JSON.stringify(body)
    if (last.current.text !== text) last.current = { text, key: randomKey() }
    return change({ method: 'post', path: '', body, headers: { 'Idempotency-Key': last.current.key } })
  }
}

/** `crypto.randomUUID` exists on https and localhost only. */
const randomKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
