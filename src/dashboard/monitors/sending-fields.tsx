import { TextEntry, type FormState } from './entries.tsx'

const ZONES = ['UTC', ...Intl.supportedValuesOf('timeZone')]

/** When matches are sent. */
export const SendingFields = ({ state }: { readonly state: FormState }) => (
  <fieldset>
    <legend>When matches are sent</legend>
    <div class="pair">
      <TextEntry
        {...{ state, field: 'quiet_start', type: 'time', label: 'Quiet hours from' }}
        help="Matches in the quiet hours are sent together when they end."
      />
      <TextEntry {...{ state, field: 'quiet_end', type: 'time', label: 'Quiet hours until' }} />
    </div>
    <div class="pair">
      <TextEntry
        {...{ state, field: 'digest_at', type: 'time', label: 'Digest at' }}
        help="The matches of a day are sent together at this time. Empty: each at once."
      />
      <TextEntry
        {...{ state, field: 'time_zone', label: 'Time zone', limits: { list: 'time-zones', required: true } }}
        help="Of the quiet hours and the digest."
      />
      <datalist id="time-zones">
        {ZONES.map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </div>
    <TextEntry
      {...{ state, field: 'max_per_day', type: 'number', label: 'Most messages a day' }}
      limits={{ min: 1, max: 1_000, step: 1, required: true }}
      help="To each channel. Further matches are sent together on the next day."
    />
  </fieldset>
)
