import { expect, it } from 'vitest'
import { withHugePages } from '../../engines/huge-pages.ts'
import { thisCli } from './service.ts'

it('runs the CLI with large pages', () => {
  expect(thisCli({ PORT: '1' }).environment).toEqual(withHugePages({ PORT: '1' }))
})
