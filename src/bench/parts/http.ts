import { benchHttp, type HttpFigure } from '../http/http-bench.ts'
import { ms, type BenchPart } from './part.ts'

export const http: BenchPart = {
  says: 'CPU per request for a list of stories (cached, 304, from the store), compared with bare node:http',
  alone: async ({ wiring: { out } }) => {
    const figures = await benchHttp((line) => out.progress(line))
    return { figures, lines: table(figures) }
  },
}

const table = (f: HttpFigure): readonly string[] => [
  `  the same ${f.body_bytes} bytes and headers, microseconds a request`,
  `  bare node:http               ${ms(f.bare_us)}`,
  `  kept                         ${ms(f.cached_us)}   ${f.cached_over_bare.toFixed(2)} times as much`,
  `  kept, with gzip              ${ms(f.cached_gzip_us)}`,
  `  unchanged (304)              ${ms(f.unchanged_us)}`,
  `  not kept (without the store) ${ms(f.uncached_us)}`,
]
