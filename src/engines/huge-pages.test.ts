import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { projectPath } from '../config/project-path.ts'
import { withHugePages } from './huge-pages.ts'

const { GLIBC_TUNABLES: value } = withHugePages({})

it('keeps the value of the operator', () => {
  expect(withHugePages({ GLIBC_TUNABLES: 'glibc.malloc.check=1', PORT: '1' })).toEqual({
    GLIBC_TUNABLES: 'glibc.malloc.check=1',
    PORT: '1',
  })
})

it('is the same in the image', () => {
  expect(readFileSync(projectPath('docker/Dockerfile'), 'utf8')).toContain(`\nENV GLIBC_TUNABLES=${value}\n`)
})
