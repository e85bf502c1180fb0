// Runs ClickHouse's own HTTP server out of the npm package `chdb`: a process of its own, because the main thread is
// inside the engine for good. CommonJS, since the library is looked up from the project's node_modules.
'use strict'
const { readFileSync } = require('node:fs')
const ffi = require('ffi-rs')
const { libchdbPath } = require('chdb/libchdb')

const { data, config, port, nativePort, environment } = JSON.parse(readFileSync(process.argv[2], 'utf8'))
// users.xml takes the passwords from the environment (as in compose); a command line would show them to everybody
Object.assign(process.env, environment)

const listening = ['HTTP', ...(nativePort === undefined ? [] : ['TCP'])].map(
  (protocol) => `SYSTEM START LISTEN ${protocol};`,
)

const argv = [
  'clickhouse-local',
  `--path=${data}`,
  `--config-file=${config}`,
  '--listen_host=127.0.0.1',
  `--http_port=${port}`,
  ...(nativePort === undefined ? [] : [`--tcp_port=${nativePort}`]),
  // Holds the process: wakes once in 3 s, and needs no grant but SYSTEM LISTEN, so `default` can stay locked down.
  `--query=${listening.join(' ')} SELECT sleep(3) FROM system.numbers FORMAT Null ` +
    'SETTINGS max_block_size = 1, max_execution_time = 0, max_threads = 1',
]

// ffi-rs calls through libffi on the real stack of the thread; koffi's own stack trips ClickHouse's guard (Code 306)
ffi.open({ library: 'chdb', path: libchdbPath() })
const call = (funcName, retType, paramsType, paramsValue) =>
  ffi.load({ library: 'chdb', funcName, retType, paramsType, paramsValue, freeResultMemory: false })

const { External, I32, String, StringArray } = ffi.DataType
const result = call('chdb_query_cmdline', External, [I32, StringArray], [argv.length, argv])
process.stderr.write(`${call('chdb_result_error', String, [External], [result])}\n`)
process.exit(1) // the engine came back: whatever it says, it serves nobody any more
