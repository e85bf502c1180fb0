import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { ShownMonitor } from './answers.ts'
import { ArticleFields, StoryFields } from './condition-fields.tsx'
import { conditionsSentence } from './conditions-sentence.ts'
import { TextEntry, type FormState } from './entries.tsx'
import { formErrors, NO_ERRORS, type FormErrors } from './field-errors.ts'
import { bodyOfForm, conditionsOf, hasConditions, type MonitorBody, type MonitorForm } from './monitor-form.ts'
import { Preview, usePreview, type PreviewState } from './preview.tsx'
import type { ChangeResult } from './requests.ts'
import { SendingFields } from './sending-fields.tsx'

interface FormProperties {
  readonly initial: MonitorForm
  /** The label of the button. */
  readonly action: string
  readonly save: (body: MonitorBody) => Promise<ChangeResult<ShownMonitor>>
  readonly saved: (monitor: ShownMonitor) => void
  /** More fields, with the errors of the API for them. */
  readonly more?: (errors: FormErrors) => ComponentChildren
  /** What follows the form. */
  readonly children?: ComponentChildren
}

/** The form of a monitor beside the preview of its conditions. */
export function Form({ initial, action, save, saved, more, children }: FormProperties) {
  const [form, setForm] = useState(initial)
  const { element, submit, errors, said, isSaving, forget } = useSaving({ save, saved })
  const conditions = conditionsOf(form)
  const preview = usePreview(conditions)
  const state: FormState = {
    form,
    errors: { ...previewErrors(preview, form), ...errors.fields },
    change: (changed) => {
      setForm((before) => ({ ...before, ...changed }))
      forget(Object.keys(changed))
    },
  }
  return (
    <>
      <div class="columns">
        <form ref={element} class="monitor-form" onSubmit={(event) => void submit(event, form)}>
          <TextEntry state={state} field="name" label="Name" limits={{ maxLength: 100, required: true }} />
          <ArticleFields state={state} />
          <StoryFields state={state} />
          <SendingFields state={state} />
          {more?.(errors)}
          <Problems others={errors.others} />
          <div class="actions">
            <button type="submit" class="main" disabled={isSaving}>
              {action}
            </button>
            <span role="status">{said}</span>
          </div>
        </form>
        <aside aria-label="Preview">
          {hasConditions(conditions) && <p>{conditionsSentence(conditions)}</p>}
          <Preview {...preview} />
        </aside>
      </div>
      {children}
    </>
  )
}

const Problems = ({ others }: { readonly others: readonly string[] }) =>
  others.length === 0 ? null : (
    <div role="alert">
      {others.map((text) => (
        <p key={text} class="bad">
          {text}
        </p>
      ))}
    </div>
  )

function previewErrors({ isComputing, reply }: PreviewState, form: MonitorForm): FormErrors['fields'] {
  const isInvalid = !isComputing && reply.kind === 'known' && reply.value.kind === 'invalid'
  return isInvalid ? formErrors(reply.value.errors, form).fields : {}
}

/** Saves the form. After an error the first field that has one receives the focus. */
function useSaving({ save, saved }: Pick<FormProperties, 'save' | 'saved'>) {
  const [errors, setErrors] = useState(NO_ERRORS)
  const [said, setSaid] = useState('')
  const [isSaving, setSaving] = useState(false)
  const element = useRef<HTMLFormElement>(null)
  const [attempts, setAttempts] = useState(0)
  useEffect(() => {
    if (errors !== NO_ERRORS) element.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [attempts])
  const submit = async (event: Event, form: MonitorForm): Promise<void> => {
    event.preventDefault()
    setSaving(true)
    setSaid('')
    const result = await save(bodyOfForm(form))
    setSaving(false)
    setErrors(errorsOf(result, form))
    setSaid(result.kind === 'done' ? 'Saved.' : 'Not saved.')
    setAttempts((before) => before + 1)
    if (result.kind === 'done') saved(result.value)
  }
  /** Removes the errors of fields that were changed. */
  const forget = (names: readonly string[]): void => {
    setSaid('')
    setErrors((before) => ({ ...before, fields: without(before.fields, names) }))
  }
  return { element, submit, errors, said, isSaving, forget }
}

const without = (fields: FormErrors['fields'], names: readonly string[]): FormErrors['fields'] =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)))

function errorsOf(result: ChangeResult<unknown>, form: MonitorForm): FormErrors {
  if (result.kind === 'failed') return { ...NO_ERRORS, others: [result.message] }
  return result.kind === 'invalid' ? formErrors(result.errors, form) : NO_ERRORS
}
