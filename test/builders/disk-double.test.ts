import { checkpointsContract } from '../contracts/checkpoints.ts'
import { snapshotsContract } from '../contracts/snapshots.ts'
import { DiskDouble } from './disk-double.ts'

checkpointsContract('memory', async () => new DiskDouble())
snapshotsContract('memory', async () => new DiskDouble().snapshots)
