import { codecContract, oddSchema } from '../../test/contracts/codec.ts'
import { PlainCodec } from './plain-codec.ts'

codecContract('without a registry', async () => ({ codec: new PlainCodec(() => oddSchema), name: 'tests.odd' }))
