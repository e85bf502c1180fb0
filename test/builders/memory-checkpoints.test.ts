import { checkpointsContract } from '../contracts/checkpoints.ts'
import { MemoryCheckpoints } from './memory-checkpoints.ts'

checkpointsContract('memory', async () => new MemoryCheckpoints())
