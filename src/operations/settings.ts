import { defaultOf, readRunning, sources, VARIABLES, type Variable } from '../config/config.ts'

export type SettingsSource = 'environment' | 'settings.env' | 'story up' | 'default'

/** A variable as used by the running `story up` of a home, or by this shell if it is not running. */
export interface ResolvedSetting {
  readonly variable: Variable
  /** As written in the environment, with secrets masked; `null` if not set. */
  readonly value: string | null
  readonly from: SettingsSource
  /** The value that this shell would use, if it differs. */
  readonly here?: string | null
}

const SECRET = /PASSWORD|TOKEN|SECRET|STORY_KEY|SMTP_URL/
/** In the JSON of `CLICKHOUSE_STORES`. */
const INNER_SECRET = /("password"\s*:\s*")(?:[^"\\]|\\.)*"/g

const masked = (name: string, value: string): string =>
  SECRET.test(name) ? '(set)' : value.replaceAll(INNER_SECRET, '$1(set)"')

/** Every variable as this shell would use it, with secrets masked. */
export function settingsHere(env: NodeJS.ProcessEnv): readonly ResolvedSetting[] {
  const { set, file } = sources(env)
  return VARIABLES.map((variable): ResolvedSetting => {
    const [inEnv, inFile] = [set[variable], file[variable]]
    if (inEnv !== undefined) return { variable, value: masked(variable, inEnv), from: 'environment' }
    if (inFile !== undefined) return { variable, value: masked(variable, inFile), from: 'settings.env' }
    return { variable, value: defaultOf(variable), from: 'default' }
  })
}

/** The variables that differ from their defaults, as `story up` prints them and writes them to `running.json`. */
export const changedSettings = (env: NodeJS.ProcessEnv): Readonly<Record<string, string>> =>
  Object.fromEntries(
    settingsHere(env).flatMap(({ variable, value }) =>
      value === null || value === defaultOf(variable) || variable === 'STORY_HOME' ? [] : [[variable, value]],
    ),
  )

/** Every variable as used by the running `story up` of the home, with the values of this shell that differ. */
export function settingsOfRunning(env: NodeJS.ProcessEnv, home: string): readonly ResolvedSetting[] {
  const { addresses, settings } = readRunning(home)
  const chosen: Readonly<Partial<Record<string, string>>> = { ...addresses, STORY_HOME: home }
  return settingsHere(env).map((here): ResolvedSetting => {
    const { variable } = here
    const running = { variable, ...runningValue(variable, chosen[variable] ?? settings[variable]) }
    // a value that `story up` chose by itself does not count as a difference from a default
    const isCompared = variable !== 'STORY_HOME' && (chosen[variable] === undefined || here.from !== 'default')
    return isCompared && here.value !== running.value ? { ...running, here: here.value } : running
  })
}

const runningValue = (variable: Variable, value: string | undefined): Pick<ResolvedSetting, 'value' | 'from'> =>
  value === undefined
    ? { value: defaultOf(variable), from: 'default' }
    : { value: masked(variable, value), from: 'story up' }
