import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { now } from '../clock.ts'
import { readAddress, writeAddress, type Address, type PageName } from './address.ts'

/** The page shown, as the browser's address says. */
export const place = signal<Address>(readAddress(location.hash))

addEventListener('hashchange', () => {
  place.value = readAddress(location.hash)
})

/** The address of a page, at the point in time that is shown. */
export function link(page: PageName, id = '', parameters: Address['parameters'] = {}): string {
  return writeAddress({ page, id, parameters: { as_of: parameter('as_of'), ...parameters } })
}

/** Opens an address and adds it to the browser history. */
export const visit = (address: string): void => {
  location.hash = address
}

/** Changes parameters of the page. `slide`, for a series of changes, replaces the current history entry. */
export function choose(parameters: Address['parameters'], step: 'step' | 'slide' = 'step'): void {
  const at = place.value
  const address = writeAddress({ ...at, parameters: { ...at.parameters, ...parameters } })
  if (step === 'step') visit(address)
  else {
    history.replaceState(null, '', address)
    place.value = readAddress(address)
  }
}

/** A parameter of the page, or its default. */
export const parameter = (name: string, otherwise = ''): string => place.value.parameters[name] ?? otherwise

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
