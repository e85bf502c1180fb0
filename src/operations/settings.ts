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

/** Every variable, as this shell would start with it, secrets masked. */
export function settingsHere(env: NodeJS.ProcessEnv): readonly ResolvedSetting[] {
  const { set, file } = sources(env)
  return VARIABLES.map((variable): ResolvedSetting => {
    const [mine, kept] = [set[variable], file[variable]]
    if (mine !== undefined) return { variable, value: masked(variable, mine), from: 'environment' }
    if (kept !== undefined) return { variable, value: masked(variable, kept), from: 'settings.env' }
    return { variable, value: defaultOf(variable), from: 'default' }
  })
}

/** Those of them that are not the default, by name: what `story up` writes to `running.json` and prints. */
export const changedSettings = (env: NodeJS.ProcessEnv): Readonly<Record<string, string>> =>
  Object.fromEntries(
    settingsHere(env).flatMap(({ variable, value }) =>
      value === null || value === defaultOf(variable) || variable === 'STORY_HOME' ? [] : [[variable, value]],
    ),
  )

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
