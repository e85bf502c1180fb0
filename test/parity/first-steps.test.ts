import { expect, it } from 'vitest'
import { cliProgram } from './cli-document.ts'
import { FIRST_STEPS } from '../../src/dashboard/words/first-steps.ts'

it('names commands that exist', async () => {
  const story = await cliProgram()
  const missing = FIRST_STEPS.filter(({ command }) => {
    const [, , name = '', sub] = command.split(' ')
    const found = story.commands.find((one) => one.name() === name)
    return found === undefined || (found.commands.length > 0 && !found.commands.some((one) => one.name() === sub))
  })

  expect(missing).toEqual([])
})
