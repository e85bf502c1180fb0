import { parseSettings } from '../../config/settings-file.ts'

interface MergedSettings {
  readonly text: string
  /** Variables that had another value before. */
  readonly changed: readonly string[]
}

/** The content of `settings.env` with these variables set. All other lines stay as they are. */
export function mergedSettings(before: string, wished: Readonly<Record<string, string>>): MergedSettings {
  const { settings } = parseSettings(before, () => null)
  const different = Object.entries(wished).filter(([name, value]) => settings[name] !== value)
  const [changed, added] = [
    different.filter(([name]) => name in settings),
    different.filter(([name]) => !(name in settings)),
  ]
  const replaced = changed.reduce(
    (text, [name, value]) => text.replace(new RegExp(`^\\s*${name}=.*$`, 'm'), () => lineOf(name, value)),
    before,
  )
  const separator = replaced === '' || replaced.endsWith('\n') ? '' : '\n'
  const more = added.map(([name, value]) => `${lineOf(name, value)}\n`).join('')
  return { text: more === '' ? replaced : replaced + separator + more, changed: changed.map(([name]) => name) }
}

const lineOf = (name: string, value: string): string => `${name}=${/^[\w.:/@,-]+$/.test(value) ? value : `'${value}'`}`
