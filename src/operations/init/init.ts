import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { settingsFile } from '../../config/settings-file.ts'
import { ownerOf } from '../../engines/lock-file.ts'
import type { Wiring } from '../../ports/wiring.ts'
import { parseFeedList } from '../../sources/feeds/parse-opml.ts'
import type { CommandOptions } from '../options.ts'
import { NO_KEY, type InitAnswers, type Outlets } from './answers.ts'
import { distinctGroups, type FeedGroup, feedListText } from './feed-list.ts'
import { feedGroupOfFile } from './feed-group-of-file.ts'
import { feedListFile } from './feed-list-file.ts'
import { mergedSettings } from './merged-settings.ts'
import {
  answersFromTerminal,
  defaultAnswers,
  type InitChoices,
  type InitContext,
  isAnswered,
  type Terminal,
} from './questions.ts'
import { bundledRegions, type Region } from './regions.ts'
import { plannedFile, writePlanned, type PlannedFile } from './planned-file.ts'

export interface InitOptions extends CommandOptions, InitChoices {
  readonly home?: string
  /** Use defaults instead of questions. */
  readonly yes?: true
  /** Replace the list of feeds, and values of settings. */
  readonly force?: true
}

/**
 * Writes the settings and the list of feeds of a home. `story up` creates the key and watches the feeds, since both are
 * events in the log, which exists only while the service runs. Throws before it writes if a file has other content.
 */
export async function init(wiring: Wiring, options: InitOptions, openTerminal: () => Terminal | null): Promise<void> {
  const home = options.home ?? wiring.config.home
  const context = {
    regions: bundledRegions(),
    firstKeyName: wiring.config.firstKeyName,
    hasFeedList: existsSync(feedListFile(home)),
  }
  const answers = await answersOf(options, context, openTerminal)
  const groups = answers.outlets === null ? null : feedGroups(answers.outlets, context.regions)
  const isListed = groups !== null && (groups.length > 0 || context.hasFeedList)
  const files = [settingsPlan(home, answers), ...(isListed ? [feedListPlan(home, answers.name, groups)] : [])]
  if (options.force === undefined) refuseConflicts(files)
  if (options.dryRun === undefined) files.forEach(writePlanned)
  print(wiring, { home, answers, files, feeds: countFeeds(home, groups) }, options)
}

async function answersOf(
  options: InitOptions,
  context: InitContext,
  openTerminal: () => Terminal | null,
): Promise<InitAnswers> {
  const terminal = options.yes === true ? null : openTerminal()
  if (terminal === null) {
    if (options.yes === undefined && !isAnswered(options)) throw new Error(NO_TERMINAL)
    return defaultAnswers(options, context)
  }
  try {
    return await answersFromTerminal(options, context, terminal)
  } finally {
    terminal.close()
  }
}

const NO_TERMINAL =
  'without a terminal, answer with options: --name NAME, --region REGIONS, --opml FILE, --feed URL, --key or --no-key; or --yes for the defaults'

function feedGroups({ regions, opml, feeds }: Outlets, bundled: readonly Region[]): readonly FeedGroup[] {
  const own = { title: 'Own feeds', source: null, feeds: feeds.map((url) => ({ url, name: new URL(url).hostname })) }
  return distinctGroups([
    ...bundled
      .filter(({ region }) => regions.includes(region))
      .map((list) => ({ ...list, title: list.title ?? list.region })),
    ...opml.map(feedGroupOfFile),
    own,
  ])
}

function settingsPlan(home: string, { name, key }: InitAnswers): PlannedFile {
  const path = settingsFile(home)
  const before = existsSync(path) ? readFileSync(path, 'utf8') : ''
  const { text, changed } = mergedSettings(before, { FIRST_KEY_NAME: key ? name : NO_KEY })
  return plannedFile(path, text, changed.length === 0 ? null : `another ${changed.join(', ')}`)
}

const feedListPlan = (home: string, name: string, groups: readonly FeedGroup[]): PlannedFile =>
  plannedFile(feedListFile(home), feedListText(name, groups), 'other feeds')

function refuseConflicts(files: readonly PlannedFile[]): void {
  const conflicts = files.flatMap(({ path, state, conflict }) =>
    state === 'changed' && conflict !== null ? [`${path} has ${conflict}`] : [],
  )
  if (conflicts.length > 0) throw new Error(`${conflicts.join('; ')}. Nothing was written; --force replaces it`)
}

/** Feeds of the new list, or of the list that the home keeps. */
function countFeeds(home: string, groups: readonly FeedGroup[] | null): number {
  if (groups !== null) return groups.reduce((sum, { feeds }) => sum + feeds.length, 0)
  return parseFeedList(readFileSync(feedListFile(home), 'utf8'))?.feeds.length ?? 0
}

interface InitResult {
  readonly home: string
  readonly answers: InitAnswers
  readonly files: readonly PlannedFile[]
  /** Feeds in the list of the home. */
  readonly feeds: number
}

function print({ out }: Wiring, result: InitResult, options: InitOptions): void {
  const { home, answers, files, feeds } = result
  const next = nextCommands(result, options)
  if (options.json) {
    const written = files.map(({ path, state }) => ({ path, state }))
    out.json({ ...(options.dryRun && { dry_run: true }), home, ...answersShown(answers), feeds, files: written, next })
    return
  }
  files.forEach(({ path, state }) => out.line(`${options.dryRun ? `would be ${state}` : state}  ${path}`))
  out.line(
    `\`story up\` creates ${answers.key ? `the key "${answers.name}"` : 'no key'} and watches ${feeds === 1 ? '1 feed' : `${feeds} feeds`}.`,
  )
  out.line('Next:')
  next.forEach((command) => out.line(`  ${command}`))
}

const answersShown = ({ name, key, outlets }: InitAnswers) => ({ name, key, regions: outlets?.regions ?? null })

/** A check of the feeds, then the start; if the service runs already, what it does only at a start. */
function nextCommands({ home, feeds }: InitResult, options: InitOptions): readonly string[] {
  const list = shellWord(feedListFile(home))
  const start = options.home === undefined ? 'npx story up' : `npx story up --home ${shellWord(home)}`
  const isRunning = ownerOf(join(home, 'up.lock')) !== null
  if (feeds === 0) return [start, 'npx story feeds add https://www.example.com/']
  return [`npx story feeds test --opml ${list}`, isRunning ? `npx story feeds add --opml ${list}` : start]
}

const shellWord = (text: string): string => (/^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`)
