import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { now } from '../clock.ts'
import { readAddress, writeAddress, type Address, type PageName } from './address.ts'

/** The page shown, read from the browser's address. */
export const address = signal<Address>(readAddress(location.hash))

addEventListener('hashchange', () => {
  address.value = readAddress(location.hash)
})

/** The address of a page, at the point in time that is shown. */
export function link(page: PageName, id = '', parameters: Address['parameters'] = {}): string {
  return writeAddress({ page, id, parameters: { as_of: parameter('as_of'), ...parameters } })
}

/** Opens an address and adds it to the browser history. */
export const visit = (hash: string): void => {
  location.hash = hash
}

/** Changes parameters of the page. `slide`, for a series of changes, replaces the current history entry. */
export function choose(parameters: Address['parameters'], step: 'step' | 'slide' = 'step'): void {
  const current = address.value
  const next = writeAddress({ ...current, parameters: { ...current.parameters, ...parameters } })
  if (step === 'step') visit(next)
  else {
    history.replaceState(null, '', next)
    address.value = readAddress(next)
  }
}

/** A parameter of the page, or its default. */
export const parameter = (name: string, fallback = ''): string => address.value.parameters[name] ?? fallback

/** The point in time that is shown, as the API accepts it; `undefined` for now. */
export function asOf(): string | undefined {
  const moment = parameter('as_of')
  return moment === '' || Number.isNaN(Date.parse(moment)) ? undefined : moment
}

/** The point in time that is shown, in milliseconds since 1970. */
export const shownAt = (): number => Date.parse(asOf() ?? '') || now()

/** Sets the title of the browser tab. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Story Intelligence`
  }, [title])
}
