import {
  checkedAdditions,
  checkedFeed,
  checkedName,
  checkedRegions,
  checkedYes,
  NONE,
  type InitAnswers,
  type Outlets,
} from './answers.ts'
import { feedGroupOfFile } from './feed-group-of-file.ts'
import type { Region } from './regions.ts'

/** A terminal that asks questions. */
export interface Terminal {
  say(line: string): void
  /** The line that is typed. Rejects if the input ends. */
  ask(question: string): Promise<string>
  close(): void
}

/** Answers given as options; those that are absent are asked for, or have defaults. */
export interface InitChoices {
  readonly name?: string
  readonly region?: readonly string[]
  readonly opml?: string
  readonly feed?: readonly string[]
  /** Whether a key is created at the first start. */
  readonly key?: boolean
}

/** What is known before a question is asked. */
export interface InitContext {
  readonly regions: readonly Region[]
  /** Name of the first key in the current settings; `null` if no key is to be created. */
  readonly firstKeyName: string | null
  /** Whether the home has a list of feeds. */
  readonly hasFeedList: boolean
}

const DEFAULT_NAME = 'demo'
const DEFAULT_REGION = 'world'
/** Stands for the list of feeds that the home has. */
const KEEP = 'keep'

export const isAnswered = ({ name, region, opml, feed, key }: InitChoices): boolean =>
  [name, region, opml, feed, key].some((one) => one !== undefined)

/** The answers without questions: options, then current settings, then defaults. */
export const defaultAnswers = (choices: InitChoices, context: InitContext): InitAnswers => ({
  name: checkedName(choices.name ?? defaultName(context)),
  outlets: chosenOutlets(choices, context) ?? (context.hasFeedList ? null : ofRegions([DEFAULT_REGION])),
  key: choices.key ?? context.firstKeyName !== null,
})

/** Asks for what the options leave open; an invalid answer is asked for again. */
export async function answersFromTerminal(
  choices: InitChoices,
  context: InitContext,
  terminal: Terminal,
): Promise<InitAnswers> {
  const name = choices.name === undefined ? await askName(context, terminal) : checkedName(choices.name)
  const outlets = chosenOutlets(choices, context) ?? (await askOutlets(context, terminal))
  const key = choices.key ?? (await askKey(context, terminal))
  return { name, outlets, key }
}

const defaultName = ({ firstKeyName }: InitContext): string => firstKeyName ?? DEFAULT_NAME

const ofRegions = (regions: readonly string[]): Outlets => ({ regions, opml: [], feeds: [] })

/** The outlets that options name; `null` if there are none. */
function chosenOutlets({ region, opml, feed }: InitChoices, { regions }: InitContext): Outlets | null {
  if (region === undefined && opml === undefined && feed === undefined) return null
  const known = regions.map((one) => one.region)
  return {
    regions: region === undefined ? [] : checkedRegions(region.join(','), known),
    opml: opml === undefined ? [] : [opml],
    feeds: (feed ?? []).map(checkedFeed),
  }
}

const askName = (context: InitContext, terminal: Terminal): Promise<string> =>
  untilValid(terminal, `Name of your newsroom or project, given to the API key [${defaultName(context)}]: `, (text) =>
    checkedName(text.trim() === '' ? defaultName(context) : text),
  )

async function askOutlets({ regions, hasFeedList }: InitContext, terminal: Terminal): Promise<Outlets | null> {
  terminal.say('Outlets to watch, from public lists:')
  regions.forEach((region) => terminal.say(lineOf(region)))
  const known = regions.map((one) => one.region)
  const whenEmpty = hasFeedList ? KEEP : DEFAULT_REGION
  const choice = hasFeedList ? `, ${NONE}, or ${KEEP} for the present list` : ` or ${NONE}`
  const chosen = await untilValid(terminal, `Regions, separated by commas${choice} [${whenEmpty}]: `, (text) => {
    const answer = text.trim() || whenEmpty
    return hasFeedList && answer === KEEP ? null : checkedRegions(answer, known)
  })
  if (chosen === null) return null
  const more = await untilValid(terminal, 'Your own OPML files or addresses of feeds [none]: ', readableAdditions)
  return { ...ofRegions(chosen), ...more }
}

/** Reads the files as well, so that a wrong path is asked for again. */
function readableAdditions(text: string): Pick<Outlets, 'opml' | 'feeds'> {
  const additions = checkedAdditions(text)
  additions.opml.forEach(feedGroupOfFile)
  return additions
}

const lineOf = ({ region, feeds, source }: Region): string =>
  `  ${region.padEnd(14)} ${String(feeds.length).padStart(2)} outlets, from ${originNames(source)}`

/** The names of the lists, without their addresses. */
const originNames = (source: string | null): string => (source ?? 'an unnamed list').replaceAll(/ \([^)]*\)/g, '')

const askKey = ({ firstKeyName }: InitContext, terminal: Terminal): Promise<boolean> =>
  untilValid(terminal, `Create an API key at the first start? [${firstKeyName === null ? 'y/N' : 'Y/n'}]: `, (text) =>
    checkedYes(text, firstKeyName === null ? 'no' : 'yes'),
  )

/** Asks until the answer is valid. */
async function untilValid<Answer>(
  terminal: Terminal,
  question: string,
  checked: (text: string) => Answer,
): Promise<Answer> {
  for (;;) {
    const text = await terminal.ask(question)
    try {
      return checked(text)
    } catch (cause) {
      terminal.say(cause instanceof Error ? cause.message : String(cause))
    }
  }
}
