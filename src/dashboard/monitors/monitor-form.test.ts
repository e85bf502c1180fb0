import { describe, expect, it } from 'vitest'
import type { ShownMonitor } from './answers.ts'
import {
  bodyOfForm,
  channelBody,
  conditionsOf,
  emptyForm,
  formOf,
  hasConditions,
  NO_CONDITIONS,
} from './monitor-form.ts'

const monitor: Pick<ShownMonitor, keyof ReturnType<typeof bodyOfForm>> = {
  name: 'Interest rates',
  conditions: {
    query: '"interest rate" -crypto',
    entity_ids: ['ent_k3v7qhd2mzxw5ayp'],
    entity_names: ['christine lagarde'],
    places: ['DE', 'FR'],
    categories: ['finance'],
    languages: ['de'],
    sources: ['reuters.com'],
    lifecycle_states: ['breaking'],
    min_origins: 3,
    min_velocity: 2.5,
    min_sentiment: -1,
    max_sentiment: 0,
  },
  quiet_hours: { start: '22:00', end: '07:00' },
  digest_at: '08:30',
  time_zone: 'Europe/Berlin',
  max_per_day: 20,
}

describe('the form of a monitor', () => {
  it('is the monitor again as a request body', () => {
    expect(bodyOfForm(formOf(monitor))).toEqual(monitor)
  })

  it('is empty at first, in the time zone of the browser', () => {
    const form = emptyForm('Europe/Berlin')

    expect(bodyOfForm(form)).toEqual({
      name: '',
      conditions: NO_CONDITIONS,
      quiet_hours: null,
      digest_at: null,
      time_zone: 'Europe/Berlin',
      max_per_day: 50,
    })
    expect(hasConditions(conditionsOf(form))).toBe(false)
  })

  it('uses UTC where the time zone of the browser is an offset', () => {
    expect(emptyForm('+02:00').time_zone).toBe('UTC')
  })

  it('trims texts, and sends half of the quiet hours so that the API names the other half', () => {
    const form = { ...emptyForm('UTC'), name: ' Rates ', query: ' rates ', quiet_start: '22:00' }

    expect(bodyOfForm(form)).toMatchObject({
      name: 'Rates',
      conditions: { query: 'rates' },
      quiet_hours: { start: '22:00', end: '' },
    })
  })

  it.each([
    [{ query: 'rates' }, true],
    [{ places: ['DE'] }, true],
    [{ min_velocity: 0 }, true],
    [{}, false],
  ])('has a condition: %j', (given, expected) => {
    expect(hasConditions({ ...NO_CONDITIONS, ...given })).toBe(expected)
  })

  it('adds channels by URL, and e-mail by address', () => {
    expect(channelBody({ type: 'slack', target: ' https://a.example/x ' })).toEqual({
      type: 'slack',
      url: 'https://a.example/x',
    })
    expect(channelBody({ type: 'email', target: 'desk@a.example' })).toEqual({
      type: 'email',
      address: 'desk@a.example',
    })
  })
})
