import { signal } from '@preact/signals'
import { readAddress, writeAddress, type Address, type PageName } from './address.ts'

/** The page on show: follows the address, however it changes. */
export const place = signal<Address>(readAddress(location.hash))

addEventListener('hashchange', () => {
  place.value = readAddress(location.hash)
})

/** Parameters that go along wherever one goes. */
const LASTING = ['as_of']

/** An address for a link, at the moment that is looked at. */
export function link(page: PageName, id = '', parameters: Address['parameters'] = {}): string {
  const lasting = LASTING.flatMap((name) => {
    const value = place.value.parameters[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return writeAddress({ page, id, parameters: { ...Object.fromEntries(lasting), ...parameters } })
}

/** Goes there; back comes here again. */
export const visit = (address: string): void => {
  location.hash = address
}

/** Other parameters for the same page: a step of its own in the history unless it is one of many of a slider. */
export function choose(parameters: Address['parameters'], step: 'step' | 'slide' = 'step'): void {
  const at = place.value
  const address = writeAddress({ ...at, parameters: { ...at.parameters, ...parameters } })
  if (step === 'step') visit(address)
  else {
    history.replaceState(null, '', address)
    place.value = readAddress(address)
  }
}

/** A parameter of the page, or what stands for it where it is left out. */
export const parameter = (name: string, otherwise = ''): string => place.value.parameters[name] ?? otherwise

/** The moment that is looked at, as the API takes it; undefined: now. */
export function asOf(): string | undefined {
  const moment = parameter('as_of')
  return moment === '' || Number.isNaN(Date.parse(moment)) ? undefined : moment
}
