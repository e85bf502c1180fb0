import { useState } from 'preact/hooks'
import type { ShownChannel, ShownMonitor } from './answers.ts'
import { ChannelEntry, MOST_CHANNELS } from './channel-entry.tsx'
import { CHANNEL_TITLES, channelStatus, channelText } from './channel-text.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { channelBody, type ChannelTarget } from './monitor-form.ts'
import { change, pathOf, type ChangeResult } from './requests.ts'

interface ChannelsProperties {
  readonly monitor: Pick<ShownMonitor, 'id' | 'channels'>
  readonly canChange: boolean
  /** Called after a change. */
  readonly changed: () => void
}

/** The channels of a monitor. Changes take effect at once. */
export function Channels({ monitor: { id, channels }, canChange, changed }: ChannelsProperties) {
  const [error, setError] = useState<string | undefined>(undefined)
  const [said, setSaid] = useState('')
  const done = (result: ChangeResult<unknown>, text: string): boolean => {
    setError(errorOf(result))
    setSaid(result.kind === 'done' ? text : '')
    if (result.kind === 'done') changed()
    return result.kind === 'done'
  }
  const path = `${pathOf(id)}/channels`
  const add = async (channel: ChannelTarget): Promise<boolean> =>
    done(await change({ method: 'post', path, body: channelBody(channel) }), `${CHANNEL_TITLES[channel.type]} added.`)
  const remove = async (channel: ShownChannel): Promise<boolean> =>
    done(await change({ method: 'delete', path: path + pathOf(channel.id) }), `${channel.hint} removed.`)
  const enable = async (channel: ShownChannel): Promise<boolean> =>
    done(
      await change({ method: 'patch', path: path + pathOf(channel.id), body: { status: 'active' } }),
      `${channel.hint} enabled.`,
    )
  return (
    <section aria-labelledby="channels-title">
      <h2 id="channels-title">Channels</h2>
      {channels.length === 0 && <p class="quiet">None. Matches are listed here and published in the change feed.</p>}
      <ul class="tokens targets">
        {channels.map((channel) => (
          <Row key={channel.id} channel={channel} canChange={canChange} {...{ remove, enable }} />
        ))}
      </ul>
      <p role="status">{said}</p>
      {canChange && channels.length < MOST_CHANNELS && <ChannelEntry add={add} error={error} />}
      {canChange && channels.length >= MOST_CHANNELS && error !== undefined && <p class="bad">{error}</p>}
    </section>
  )
}

const errorOf = (result: ChangeResult<unknown>): string | undefined => {
  if (result.kind === 'failed') return result.message
  return result.kind === 'invalid' ? result.errors.map(({ message }) => message).join('; ') : undefined
}

interface RowProperties {
  readonly channel: ShownChannel
  readonly canChange: boolean
  readonly remove: (channel: ShownChannel) => Promise<boolean>
  readonly enable: (channel: ShownChannel) => Promise<boolean>
}

function Row({ channel, canChange, remove, enable }: RowProperties) {
  const [isAsking, ask] = useState(false)
  const name = <span class="unseen">{channel.hint}</span>
  if (!canChange) return <li>{channelText(channel)}</li>
  return (
    <li>
      <span>
        {CHANNEL_TITLES[channel.type]} {channel.hint} ({channelStatus(channel)})
      </span>
      {channel.status === 'disabled' && (
        <button type="button" onClick={() => void enable(channel)}>
          Enable {name}
        </button>
      )}
      <button type="button" onClick={() => ask(true)}>
        Remove {name}
      </button>
      {isAsking && (
        <ConfirmDialog
          title={`Remove ${channel.hint}?`}
          text="It receives no more matches. Its address has to be entered again to add it."
          action="Remove channel"
          confirm={() => void remove(channel)}
          closed={() => ask(false)}
        />
      )}
    </li>
  )
}
