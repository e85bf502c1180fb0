import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { configurationDocument } from '../../src/cli/config.ts'
import { projectPath } from '../../src/config/project-path.ts'

it('docs/configuration.md equals the output of `story config variables`', () => {
  expect(readFileSync(projectPath('docs/configuration.md'), 'utf8')).toBe(configurationDocument())
})
