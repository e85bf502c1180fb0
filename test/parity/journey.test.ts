import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, it } from 'vitest'

const listed = [...readFileSync('src/README.md', 'utf8').matchAll(/^\d+\. `([^`]+)`/gm)].map(([, path = '']) =>
  join('src', path),
)

/** Not imported by the code before it: the topology is started by `wiring/`, adapters are passed in through ports. */
const STARTS = [
  'src/api/routes.ts',
  'src/api/http/serve-route.ts',
  'src/pipeline.ts',
  'src/adapters/kafka/kafka-log.ts',
  'src/adapters/registry/codec.ts',
  'src/adapters/clickhouse/store.ts',
  'src/runtime/run-view.ts',
]

const importsOf = (file: string): readonly string[] =>
  [...readFileSync(file, 'utf8').matchAll(/from '(\.[^']+)'/g)].map(([, path = '']) =>
    normalize(join(dirname(file), path)),
  )

it('the path of an article in src/README.md exists and is at most 45 files long', () => {
  expect(listed.filter((file) => !existsSync(file))).toEqual([])
  expect(listed.length).toBeGreaterThan(30)
  expect(listed.length).toBeLessThanOrEqual(45)
  expect(new Set(listed).size).toBe(listed.length)
})

it('each file on the path is imported by an earlier one or is an entry point', () => {
  const unreached = listed.filter(
    (file, i) => !STARTS.includes(file) && !listed.slice(0, i).some((before) => importsOf(before).includes(file)),
  )

  expect(unreached).toEqual([])
})
