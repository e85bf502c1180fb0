import { defaultOf, readRunning, sources, VARIABLES, type Variable } from '../config/config.ts'

export type SettingsSource = 'environment' | 'settings.env' | 'story up' | 'default'

/** One variable as it holds for the running `story up` of a home, or for this shell where nothing runs. */
export interface ResolvedSetting {
  readonly variable: Variable
  /** As written in the environment; secrets masked; null: not set. */
  readonly value: string | null
  readonly from: SettingsSource
  /** What this shell would start with, where that is another value. */
  readonly here?: string | null
}

const SECRET = /PASSWORD|TOKEN|SECRET/

/** No secret leaves this file. */
const masked = (name: string, value: string): string => (SECRET.test(name) ? '(set)' : value)

/** Variables that are set in the environment or the home's `settings.env`, secrets masked. */
export function setHere(env: NodeJS.ProcessEnv): ReadonlyMap<Variable, Pick<ResolvedSetting, 'value' | 'from'>> {
  const { set, file } = sources(env)
  const found = new Map<Variable, { readonly value: string; readonly from: SettingsSource }>()
  for (const name of VARIABLES) {
    const [mine, kept] = [set[name], file[name]]
    if (mine !== undefined) found.set(name, { value: masked(name, mine), from: 'environment' })
    else if (kept !== undefined) found.set(name, { value: masked(name, kept), from: 'settings.env' })
  }
  return found
}

/** Those of them that are not the default, by name: what `story up` writes to `running.json` and prints. */
export const changedSettings = (env: NodeJS.ProcessEnv): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...setHere(env)].flatMap(([name, { value }]) =>
      value === null || value === defaultOf(name) || name === 'STORY_HOME' ? [] : [[name, value]],
    ),
  )

/** Every variable, as this shell would start with it. */
export function settingsHere(env: NodeJS.ProcessEnv): readonly ResolvedSetting[] {
  const set = setHere(env)
  return VARIABLES.map((variable) => ({
    variable,
    ...(set.get(variable) ?? { value: defaultOf(variable), from: 'default' as const }),
  }))
}

/** Every variable as the running `story up` of the home has it, with what differs in this shell. */
export function settingsOfRunning(env: NodeJS.ProcessEnv, home: string): readonly ResolvedSetting[] {
  const { addresses, settings } = readRunning(home)
  const chosen: Readonly<Partial<Record<string, string>>> = { ...addresses, STORY_HOME: home }
  return settingsHere(env).map((here): ResolvedSetting => {
    const { variable } = here
    const running = { variable, ...runningValue(variable, chosen[variable] ?? settings[variable]) }
    // what `story up` chose by itself is no difference to a default
    const isCompared = variable !== 'STORY_HOME' && (chosen[variable] === undefined || here.from !== 'default')
    return isCompared && here.value !== running.value ? { ...running, here: here.value } : running
  })
}

const runningValue = (variable: Variable, value: string | undefined): Pick<ResolvedSetting, 'value' | 'from'> =>
  value === undefined
    ? { value: defaultOf(variable), from: 'default' }
    : { value: masked(variable, value), from: 'story up' }
