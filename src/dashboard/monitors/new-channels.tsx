import { ChannelEntry, MOST_CHANNELS } from './channel-entry.tsx'
import { CHANNEL_TITLES } from './channel-text.ts'
import type { FormErrors } from './field-errors.ts'
import type { ChannelTarget } from './monitor-form.ts'

interface NewChannelsProperties {
  readonly channels: readonly ChannelTarget[]
  readonly errors: FormErrors['channels']
  readonly change: (channels: readonly ChannelTarget[]) => void
}

/** The channels of a monitor that is not created yet. */
export const NewChannels = ({ channels, errors, change }: NewChannelsProperties) => (
  <fieldset>
    <legend>Channels</legend>
    <ul class="tokens targets" aria-label="Channels to be added">
      {channels.map(({ type, target }, i) => (
        <li key={target}>
          <span>
            {CHANNEL_TITLES[type]}: {target}
          </span>
          <button type="button" class="plain" onClick={() => change(channels.filter((_, at) => at !== i))}>
            <span aria-hidden="true">×</span>
            <span class="unseen">Remove {CHANNEL_TITLES[type]} channel</span>
          </button>
          {errors[i] !== undefined && (
            <p class="bad" role="alert">
              {errors[i]}
            </p>
          )}
        </li>
      ))}
    </ul>
    {channels.length < MOST_CHANNELS && (
      <ChannelEntry
        error={undefined}
        add={async (channel) => {
          change([...channels, channel])
          return true
        }}
      />
    )}
  </fieldset>
)
