import { expect, it } from 'vitest'
import { projectPath } from '../../src/config/project-path.ts'
import { cliDocument, cliProgram } from './cli-document.ts'

it('docs/cli.md is what the help of the commands says', async () => {
  await expect(cliDocument(await cliProgram())).toMatchFileSnapshot(projectPath('docs/cli.md'))
})
