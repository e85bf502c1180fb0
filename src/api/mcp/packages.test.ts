import { readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { projectPath } from '../../config/project-path.ts'

const SDK = '@modelcontextprotocol/sdk'
const STATIC_IMPORT = /^(?:import|export)\s(?!type\s)[^'"]*['"]([^'"]+)['"]/gm
const resolveSdk = createRequire(pathToFileURL(projectPath('src/api/mcp/server.ts'))).resolve

/** `@scope/name/file.js` is of the package `@scope/name`. */
const packageOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')

/** The packages that are loaded with a module: those that it and the files it imports import statically. */
function packagesLoadedWith(file: string, seen = new Set<string>()): ReadonlySet<string> {
  const packages = new Set<string>()
  if (seen.has(file) || statSync(file, { throwIfNoEntry: false })?.isFile() !== true) return packages
  seen.add(file)
  for (const [, specifier = ''] of readFileSync(file, 'utf8').matchAll(STATIC_IMPORT)) {
    const isRelative = specifier.startsWith('.')
    if (!isRelative) packages.add(packageOf(specifier))
    const next = isRelative ? join(dirname(file), specifier) : sdkFile(specifier)
    if (next !== null) for (const name of packagesLoadedWith(next, seen)) packages.add(name)
  }
  return packages
}

const sdkFile = (specifier: string): string | null =>
  packageOf(specifier) === SDK ? resolveSdk(specifier).replace('/dist/cjs/', '/dist/esm/') : null

it('an API that receives no message does not load the SDK', () => {
  const packages = packagesLoadedWith(projectPath('src/api/app.ts'))

  expect(packages).toContain('hono')
  expect(packages).not.toContain(SDK)
})

it.each(['src/api/mcp/server.ts', 'src/cli/mcp.ts'])(
  '%s loads no web framework and no HTTP client of the SDK',
  (file) => {
    const packages = packagesLoadedWith(projectPath(file))

    expect(packages).toContain('zod')
    expect(packages).toContain('ajv') // a dependency of the SDK: its files were read
    const unwanted = ['express', 'express-rate-limit', 'cors', 'raw-body', 'jose', 'eventsource', 'pkce-challenge']
    expect(unwanted.filter((name) => packages.has(name))).toEqual([])
  },
)
