import { expect, it } from 'vitest'
import { isNeverName } from './no-names.ts'

const never = (name: string, isPerson = false) => isNeverName(name.split(' '), isPerson)

it('knows words of closed classes, in any case that is not another name', () => {
  expect(['The', 'the', 'THE', 'This', 'Its', 'Where', 'In The'].map((name) => never(name))).toEqual(
    Array<boolean>(7).fill(true),
  )
  expect(['WHO', 'IT', 'US', 'May', 'The Hague'].map((name) => never(name))).toEqual(Array<boolean>(5).fill(false))
})

it('leaves family names that are written like a pronoun', () => {
  expect(['He', 'An', 'So'].map((name) => never(name, true))).toEqual([false, false, false])
  expect(never('The', true)).toBe(true)
})

it('knows illnesses, but not the bodies that are named after one', () => {
  expect(['COVID', 'Covid - 19', 'H1N1', 'Zika virus', 'SARS - CoV - 2'].map((name) => never(name))).toEqual(
    Array<boolean>(5).fill(true),
  )
  expect(['Malaria Consortium', 'American Cancer Society'].map((name) => never(name))).toEqual([false, false])
})
