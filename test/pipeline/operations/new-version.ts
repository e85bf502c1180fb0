import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { projectPath } from '../../../src/config/project-path.ts'

const LINKED = ['docker', 'node_modules', 'package.json', 'schemas', 'topics']

/** Another version of the project, checked out beside this one: equal except for one file of `models/`. */
export interface NewVersion {
  /** The arguments of `node`. */
  readonly main: string
  drop(): Promise<void>
}

/** `changed` maps the content of the file to that of the new version. */
export async function newVersion(file: string, changed: (text: string) => string): Promise<NewVersion> {
  const folder = await mkdtemp(join(tmpdir(), 'story-next-'))
  const at = (path: string) => join(folder, path)
  await Promise.all(LINKED.map((name) => symlink(projectPath(name), at(name))))
  await cp(projectPath('dist'), at('dist'), { recursive: true }) // a link would resolve to this version
  const own = dirname(file)
  await mkdir(at(own), { recursive: true })
  await linkAllBut(own.split('/').at(-1) ?? '', 'models', at('models'))
  await linkAllBut(file.split('/').at(-1) ?? '', own, at(own))
  await writeFile(at(file), changed(await readFile(projectPath(file), 'utf8')))
  return { main: at('dist/main.js'), drop: () => rm(folder, { recursive: true, force: true }) }
}

async function linkAllBut(left: string, from: string, to: string): Promise<void> {
  const names = (await readdir(projectPath(from))).filter((name) => name !== left)
  await Promise.all(names.map((name) => symlink(projectPath(`${from}/${name}`), join(to, name))))
}
