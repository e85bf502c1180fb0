import { countries, languages } from './codes.ts'
import { Boxes, TextEntry, type FormState } from './entries.tsx'
import { TokenEntry } from './token-entry.tsx'

const CATEGORIES = ['technology', 'politics', 'finance', 'geopolitics', 'health']
const STATES = ['breaking', 'developing', 'mature', 'concluded', 'contested']
const COUNTRIES = countries()
const LANGUAGES = languages()

/** The conditions that hold together for one article of the story. */
export const ArticleFields = ({ state }: { readonly state: FormState }) => (
  <fieldset>
    <legend>Conditions for one article of the story</legend>
    <TextEntry
      state={state}
      field="query"
      label="Words"
      limits={{ maxLength: 200 }}
      help={
        <>
          All of them in the title or text: <code>interest rate</code>. A phrase in quotation marks:{' '}
          <code>"interest rate"</code>. Without a word: <code>-crypto</code>.
        </>
      }
    />
    <TokenEntry
      state={state}
      field="entity_names"
      label="Entities"
      help="Names of people, organisations or places, of which an article names one. Add each with Enter."
    />
    {state.form.entity_ids.length > 0 && (
      <TokenEntry state={state} field="entity_ids" label="Entities by id" help="Ids of GET /v1/entities." />
    )}
    <TokenEntry
      {...{ state, field: 'places', label: 'Countries', codes: COUNTRIES }}
      help="Names or codes, separated by commas: the article names a place in one of them."
    />
    <Boxes state={state} field="categories" label="Categories" values={CATEGORIES} />
    <TokenEntry
      {...{ state, field: 'languages', label: 'Languages', codes: LANGUAGES }}
      help="Names or codes, separated by commas."
    />
    <TokenEntry
      {...{ state, field: 'sources', label: 'Sources' }}
      help="Outlets, hosts or publishers: reuters.com. Add each with Enter."
    />
  </fieldset>
)

const SENTIMENT = { min: -1, max: 1, step: 'any' } as const

/** The conditions that hold for the story. */
export const StoryFields = ({ state }: { readonly state: FormState }) => (
  <fieldset>
    <legend>Conditions for the story</legend>
    <Boxes state={state} field="lifecycle_states" label="States" values={STATES} />
    <div class="pair">
      <TextEntry
        {...{ state, field: 'min_origins', type: 'number', label: 'Least independent sources' }}
        limits={{ min: 1, max: 10_000, step: 1 }}
      />
      <TextEntry
        {...{ state, field: 'min_velocity', type: 'number', label: 'Least velocity' }}
        limits={{ min: 0, step: 'any' }}
        help="Articles of the last 24 hours as a multiple of the usual number."
      />
    </div>
    <div class="pair">
      <TextEntry
        {...{ state, field: 'min_sentiment', type: 'number', label: 'Lowest sentiment', limits: SENTIMENT }}
        help="Mean of the story, from -1 to 1."
      />
      <TextEntry
        {...{ state, field: 'max_sentiment', type: 'number', label: 'Highest sentiment', limits: SENTIMENT }}
      />
    </div>
  </fieldset>
)
