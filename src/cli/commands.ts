import type { Command } from 'commander'
import { analystsCommand } from './analysts.ts'
import { archiveCommand } from './archive/archive.ts'
import { asyncApiCommand } from './asyncapi.ts'
import { benchCommand } from './bench/bench.ts'
import { configCommand } from './config.ts'
import { deadCommand } from './dead/dead.ts'
import { doctorCommand } from './doctor.ts'
import { graphCommand } from './graph/graph.ts'
import { hashCommand } from './hash.ts'
import { importCommand } from './import.ts'
import { keysCommand } from './keys.ts'
import { lagCommand } from './lag/lag.ts'
import { metricsCommand } from './metrics.ts'
import { migrateCommand } from './migrate.ts'
import { openApiCommand } from './openapi.ts'
import { qualityCommand } from './quality.ts'
import { rebuildCommand } from './rebuild/rebuild.ts'
import { reprocessCommand } from './reprocess/reprocess.ts'
import { schemasCommand } from './schemas.ts'
import { startCommand } from './start.ts'
import { topicsCommand } from './topics.ts'
import { topologyCommand } from './topology.ts'
import { upCommand } from './up.ts'
import { webhooksCommand } from './webhooks.ts'
import type { Wiring } from './wiring.ts'

/** Every command of `story`; each registers itself. */
export const commands: readonly ((program: Command, wiring: Wiring) => void)[] = [
  upCommand,
  startCommand,
  importCommand,
  keysCommand,
  webhooksCommand,
  analystsCommand,
  deadCommand,
  archiveCommand,
  lagCommand,
  metricsCommand,
  hashCommand,
  rebuildCommand,
  graphCommand,
  reprocessCommand,
  topologyCommand,
  configCommand,
  doctorCommand,
  topicsCommand,
  schemasCommand,
  migrateCommand,
  openApiCommand,
  asyncApiCommand,
  benchCommand,
  qualityCommand,
]
