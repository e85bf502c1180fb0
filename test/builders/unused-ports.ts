import type { Wiring } from '../../src/ports/wiring.ts'

const unused = (): Promise<never> => Promise.reject(new Error('the tested command needs no such port'))

/** For a test of a command: the ports that it does not use. */
export const unusedPorts = {
  ...{ log: unused, codec: unused, store: unused, viewedLog: unused, openStore: unused },
  ...{ encoder: unused, crossEncoder: unused, crossReader: unused, reader: unused },
  close: () => Promise.resolve(),
} satisfies Partial<Wiring>
