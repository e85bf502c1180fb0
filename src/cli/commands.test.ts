import { Command } from 'commander'
import { expect, it } from 'vitest'
import { loadConfig } from '../config/config.ts'
import { commandsFor } from './commands.ts'
import { connect } from '../wiring/connect.ts'

const wiring = connect(loadConfig({ LOG_LEVEL: 'silent' }), {})

async function registered(name: string | undefined): Promise<readonly string[]> {
  const program = new Command('story')
  for (const register of await commandsFor(name)) register(program, wiring)
  return program.commands.map((command) => command.name())
}

it('loads a command by its own name, and nothing else', async () => {
  for (const name of await registered(undefined)) expect(await registered(name)).toEqual([name])
})

it.each([undefined, '--help', 'help', 'rebild', 'toString'])('knows every command where %s is none', async (name) => {
  expect((await registered(name)).length).toBeGreaterThan(20)
})
