import { z } from '@hono/zod-openapi'
import { problem } from '../http/problem.ts'
import { defineOpenRoute, type Route } from '../http/route.ts'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { extname, join } from 'node:path'
import { page, type DocPage } from '../http/page.ts'
import { projectPath } from '../../config/project-path.ts'

/**
 * Pages load resources only from their own origin and run no inline scripts. Plots and panels are laid out through the
 * DOM API, which this policy does not restrict; no inline style attributes are used.
 */
const DASHBOARD_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/**
 * The dashboard's page and assets from the build. Each is read on its first request, and again after a rebuild.
 * `undefined` if there is no such file.
 */
export function dashboardFiles(folder = projectPath('dist/dashboard')) {
  const cache = new Map<string, DocPage>()
  const cached = (file: string, make: () => DocPage): DocPage => {
    const name = `${file} ${statSync(file).mtimeMs}`
    const made = cache.get(name) ?? make()
    cache.set(name, made)
    return made
  }
  return {
    index: (): DocPage | undefined => {
      const file = join(folder, 'index.html')
      if (!existsSync(file)) return undefined
      return cached(file, () => page({ type: 'text/html; charset=utf-8', ...stored(file), policy: DASHBOARD_POLICY }))
    },
    asset: (name: string): DocPage | undefined => {
      const type = TYPES[extname(name)]
      if (type === undefined || !namesIn(join(folder, 'assets')).includes(name)) return undefined
      const file = join(folder, 'assets', name)
      return cached(file, () => page({ type, ...stored(file), immutable: true }))
    },
  }
}

const namesIn = (folder: string): readonly string[] => (existsSync(folder) ? readdirSync(folder) : [])

function stored(file: string): { readonly bytes: Buffer; readonly brotli?: Buffer } {
  const bytes = readFileSync(file)
  return existsSync(`${file}.br`) ? { bytes, brotli: readFileSync(`${file}.br`) } : { bytes }
}

const about = { method: 'get', tag: 'Service', status: 200, problems: ['not_found'] } as const
const shown = { ...about, forPeople: true, answer: z.unknown() } as const

/** The dashboard: one page and its assets. The page calls the API like any other client, with the user's own key. */
export function dashboardRoutes(): readonly Route[] {
  const { index, asset } = dashboardFiles()
  return [
    defineOpenRoute(
      { ...shown, path: '/', summary: 'The dashboard', contentType: 'text/html; charset=utf-8', request: {} },
      async () => index() ?? problem('not_found', 'The dashboard is not built. Run `npm run build`'),
    ),
    defineOpenRoute(
      {
        ...shown,
        ...{ path: '/assets/{asset}', summary: 'Assets of the dashboard', contentType: 'text/javascript' },
        request: { params: z.object({ asset: z.string() }) },
      },
      async ({ params }) => asset(params.asset) ?? problem('not_found', `There is nothing at /assets/${params.asset}`),
    ),
  ]
}
