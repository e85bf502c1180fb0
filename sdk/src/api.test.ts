import { readFileSync } from 'node:fs'
import openapiTS, { astToString, COMMENT_HEADER } from 'openapi-typescript'
import { expect, it } from 'vitest'

it('has the types of the document as it is: else `npm run sdk:types`', async () => {
  const document = new URL('../../docs/openapi.json', import.meta.url)

  const types = COMMENT_HEADER + astToString(await openapiTS(document))

  expect(readFileSync(new URL('./api.ts', import.meta.url), 'utf8')).toBe(types)
})
