import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { configurationDocument } from '../../src/cli/config.ts'
import { projectPath } from '../../src/config/project-path.ts'
import { PLATFORM_CONNECTORS } from '../../src/sources/connectors/platforms.ts'

const read = (path: string): string => readFileSync(projectPath(path), 'utf8')

it('docs/configuration.md is what `story config variables` prints', () => {
  expect(read('docs/configuration.md')).toBe(configurationDocument())
})

it.each(['docker/compose.yaml', 'docker/.env.example', 'docs/connectors.md'])(
  '%s names the credentials of every platform',
  (path) => {
    const credentials = Object.values(PLATFORM_CONNECTORS).flatMap(({ variables }) => variables)

    expect(credentials.length).toBeGreaterThan(0)
    expect(credentials.filter((variable) => !new RegExp(`\\b${variable}\\b`).test(read(path)))).toEqual([])
  },
)
