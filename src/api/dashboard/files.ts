import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { extname, join } from 'node:path'
import { page, type DocPage } from '../http/page.ts'
import { projectPath } from '../../config/project-path.ts'

/**
 * The pages load nothing but from where they came, and run no script that stands in them. Plots and panels are laid out through
 * the object model, which this policy does not concern; no style stands in an attribute of the text.
 */
const DASHBOARD_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** What `npm run build` makes of `src/dashboard`. */
const BUILT = 'dist/dashboard'

export interface DashboardFiles {
  /** The one page; undefined: the dashboard has not been built. */
  readonly index: () => DocPage | undefined
  /** What it loads, by name; undefined: nothing loads that. */
  readonly asset: (name: string) => DocPage | undefined
}

/**
 * The dashboard's files as they were built, each read when it is first asked for, and again when it was rebuilt. Only what
 * is there can be asked for.
 */
export function dashboardFiles(folder = projectPath(BUILT)): DashboardFiles {
  const read = new Map<string, DocPage>()
  const kept = (file: string, make: () => DocPage): DocPage => {
    const name = `${file} ${statSync(file).mtimeMs}`
    const made = read.get(name) ?? make()
    read.set(name, made)
    return made
  }
  return {
    index: () => {
      const file = join(folder, 'index.html')
      if (!existsSync(file)) return undefined
      return kept(file, () => page({ type: 'text/html; charset=utf-8', ...stored(file), policy: DASHBOARD_POLICY }))
    },
    asset: (name) => {
      const type = TYPES[extname(name)]
      if (type === undefined || !namesIn(join(folder, 'assets')).includes(name)) return undefined
      const file = join(folder, 'assets', name)
      return kept(file, () => page({ type, ...stored(file), immutable: true }))
    },
  }
}

const namesIn = (folder: string): readonly string[] => (existsSync(folder) ? readdirSync(folder) : [])

function stored(file: string): { readonly bytes: Buffer; readonly brotli?: Buffer } {
  const bytes = readFileSync(file)
  return existsSync(`${file}.br`) ? { bytes, brotli: readFileSync(`${file}.br`) } : { bytes }
}
