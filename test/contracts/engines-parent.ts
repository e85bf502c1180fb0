import { startEngines } from '../../src/engines/start-engines.ts'

/** A parent of engines that a test kills: `engines-parent.ts HOME CACHE KAFKA REGISTRY CLICKHOUSE`; prints their process ids. */
const [home = '', cache = '', kafka, registry, clickhouse] = process.argv.slice(2)
const ports = { kafka: Number(kafka), registry: Number(registry), clickhouse: Number(clickhouse) }
const engines = await startEngines({ home, cache, ports, onProgress: (line) => console.error(line) })
console.log(JSON.stringify(engines.pids()))
