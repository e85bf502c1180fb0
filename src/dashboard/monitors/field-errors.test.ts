import { describe, expect, it } from 'vitest'
import { formErrors, NO_ERRORS } from './field-errors.ts'
import { emptyForm } from './monitor-form.ts'

const form = { ...emptyForm('UTC'), places: ['DE', 'XX'] }
const errorsAt = (...paths: readonly string[]) =>
  formErrors(
    paths.map((path) => ({ path, message: 'is wrong' })),
    form,
  )

describe('errors of the API at the fields of the form', () => {
  it.each([
    ['name', 'name'],
    ['conditions.query', 'query'],
    ['conditions.min_sentiment', 'min_sentiment'],
    ['quiet_hours.start', 'quiet_start'],
    ['quiet_hours.end', 'quiet_end'],
    ['digest_at', 'digest_at'],
    ['time_zone', 'time_zone'],
  ])('%s is shown at %s', (path, field) => {
    expect(errorsAt(path)).toEqual({ ...NO_ERRORS, fields: { [field]: 'is wrong' } })
  })

  it('names the item of a list', () => {
    expect(errorsAt('conditions.places[1]').fields.places).toBe('XX: is wrong')
  })

  it('joins several errors of one field', () => {
    expect(errorsAt('conditions.query', 'conditions.query').fields.query).toBe('is wrong; is wrong')
  })

  it('shows the error of a new channel at that channel', () => {
    expect(errorsAt('channels[1].url').channels).toEqual({ 1: 'is wrong' })
  })

  it('keeps errors that belong to no field', () => {
    expect(errorsAt('conditions', 'days', 'constructor').others).toEqual([
      'Is wrong',
      'days: is wrong',
      'constructor: is wrong',
    ])
  })
})
