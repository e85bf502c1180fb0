import { expect, it } from 'vitest'
import { parseSettings } from '../../config/settings-file.ts'
import { mergedSettings } from './merged-settings.ts'

it('adds what is missing and leaves all other lines', () => {
  const before = '# ours\nQUALITY_GATE = 0.6'

  expect(mergedSettings(before, { FIRST_KEY_NAME: 'desk' })).toEqual({
    text: '# ours\nQUALITY_GATE = 0.6\nFIRST_KEY_NAME=desk\n',
    changed: [],
  })
  expect(mergedSettings('', { FIRST_KEY_NAME: 'desk' }).text).toBe('FIRST_KEY_NAME=desk\n')
})

it('changes nothing that has the value already, however it is written', () => {
  const before = 'FIRST_KEY_NAME="Harbour desk"'

  expect(mergedSettings(before, { FIRST_KEY_NAME: 'Harbour desk' })).toEqual({ text: before, changed: [] })
})

it('names what it replaces', () => {
  const before = 'FIRST_KEY_NAME=old\nQUALITY_GATE=0.6\n'

  expect(mergedSettings(before, { FIRST_KEY_NAME: 'off' })).toEqual({
    text: 'FIRST_KEY_NAME=off\nQUALITY_GATE=0.6\n',
    changed: ['FIRST_KEY_NAME'],
  })
})

it.each(["Bob's desk", '"quoted"', '$& #1', 'Ünïcode', 'a=b'])('writes %j so that it is read back', (name) => {
  const { text } = mergedSettings('FIRST_KEY_NAME=old\n', { FIRST_KEY_NAME: name })

  expect(parseSettings(text, () => null).settings).toEqual({ FIRST_KEY_NAME: name })
})
