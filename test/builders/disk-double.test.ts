import { checkpointsContract } from '../contracts/checkpoints.ts'
import { DiskDouble } from './disk-double.ts'

checkpointsContract('memory', async () => new DiskDouble())
