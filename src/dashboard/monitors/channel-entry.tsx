import { useRef, useState } from 'preact/hooks'
import type { ShownChannelType } from './answers.ts'
import { CHANNEL_TITLES, CHANNEL_TYPES } from './channel-text.ts'
import { describing, Entry } from './entries.tsx'
import type { ChannelTarget } from './monitor-form.ts'

export const MOST_CHANNELS = 5

const HELP: Readonly<Record<ShownChannelType, string>> = {
  slack: 'URL of an incoming webhook of Slack. It is stored encrypted and never shown again.',
  teams: 'URL of a workflow of Microsoft Teams that receives webhook requests. It is never shown again.',
  email: 'The address receives a message with a link, and matches after its reader has confirmed it there.',
}

interface ChannelEntryProperties {
  /** Adds the channel, and returns whether the field can be cleared. */
  readonly add: (channel: ChannelTarget) => Promise<boolean>
  readonly error: string | undefined
}

/** The type and the target of a channel to be added. */
export function ChannelEntry({ add, error }: ChannelEntryProperties) {
  const [type, setType] = useState<ShownChannelType>('slack')
  const [target, setTarget] = useState('')
  const [isAdding, setAdding] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const submit = async (): Promise<void> => {
    if (target.trim() === '' || isAdding) return
    setAdding(true)
    if (await add({ type, target })) setTarget('')
    setAdding(false)
    input.current?.focus()
  }
  return (
    <>
      <TypeChoice type={type} choose={setType} />
      <Entry id="channel-target" label={type === 'email' ? 'Address' : 'URL'} help={HELP[type]} error={error}>
        <div class="beside-field">
          <input
            {...describing('channel-target', { hasHelp: true, error })}
            ref={input}
            type="text"
            inputMode={type === 'email' ? 'email' : 'url'}
            autocomplete="off"
            spellcheck={false}
            maxLength={2048}
            value={target}
            onInput={(event) => setTarget(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return
              event.preventDefault() // does not save the form
              void submit()
            }}
          />
          <button type="button" disabled={isAdding} onClick={() => void submit()}>
            Add channel
          </button>
        </div>
      </Entry>
    </>
  )
}

interface TypeChoiceProperties {
  readonly type: ShownChannelType
  readonly choose: (type: ShownChannelType) => void
}

const TypeChoice = ({ type, choose }: TypeChoiceProperties) => (
  <div class="entry">
    <label for="channel-type">Type</label>
    <select
      id="channel-type"
      value={type}
      onChange={({ currentTarget: { value } }) => choose(CHANNEL_TYPES.find((one) => one === value) ?? type)}
    >
      {CHANNEL_TYPES.map((one) => (
        <option key={one} value={one}>
          {CHANNEL_TITLES[one]}
        </option>
      ))}
    </select>
  </div>
)
