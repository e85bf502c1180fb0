import { expect, it } from 'vitest'
import { parseSettings } from './settings-file.ts'

const problemOf = (name: string, value: string): string | null => {
  if (name !== 'QUALITY_GATE' && name !== 'LIFECYCLE') return `${name} is no variable`
  return value === 'high' ? `${name}: expected a number` : null
}

it('reads names and values, with and without quotes, and skips comments', () => {
  const text = `# ours\n\nQUALITY_GATE = 0.85\r\n`
  const quoted = `LIFECYCLE='{"breaking": {"origins": 4}}'\nQUALITY_GATE="0.6"`

  expect(parseSettings(text.replace(' = ', '='), problemOf)).toEqual({
    settings: { QUALITY_GATE: '0.85' },
    problems: [],
  })
  expect(parseSettings(quoted, problemOf).settings).toEqual({
    LIFECYCLE: '{"breaking": {"origins": 4}}',
    QUALITY_GATE: '0.6',
  })
})

it('names every wrong line and never its value', () => {
  const text = 'QUALITY_GATE=high\nQUALITY_GATE=1\nQUALITY_GATE=1\nexport A=b\nTOKEN=sesame\nSTORY_HOME=/there'

  expect(parseSettings(text, problemOf).problems).toEqual([
    'line 1: QUALITY_GATE: expected a number',
    'line 3: QUALITY_GATE is set twice',
    'line 4: expected NAME=value',
    'line 5: TOKEN is no variable',
    'line 6: STORY_HOME cannot be set here: this file lies in it',
  ])
})
