import { expect, it } from 'vitest'
import { projectPath } from '../../src/config/project-path.ts'
import { cliDocument, cliProgram } from './cli-document.ts'

it('docs/cli.md equals the help texts of the commands', async () => {
  await expect(cliDocument(await cliProgram())).toMatchFileSnapshot(projectPath('docs/cli.md'))
})
