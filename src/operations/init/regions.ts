import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectPath } from '../../config/project-path.ts'
import { type FeedList, parseFeedList } from '../../sources/feeds/parse-opml.ts'

/** A bundled list of outlets. */
export interface Region extends FeedList {
  /** Name of its file without the extension, such as `north-america`. */
  readonly region: string
}

/** The lists in `samples/feeds/`, by name. */
export function bundledRegions(): readonly Region[] {
  const folder = projectPath('samples/feeds')
  const files = readdirSync(folder).filter((file) => file.endsWith('.opml'))
  return files.toSorted().map((file) => {
    const list = parseFeedList(readFileSync(join(folder, file), 'utf8'))
    if (list === null) throw new Error(`${join(folder, file)} is not an OPML file`)
    return { region: file.replace(/\.opml$/, ''), ...list }
  })
}
