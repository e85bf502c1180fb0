import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { defineConfig, type Plugin } from 'vite'

const OUT = new URL('dist/dashboard/', import.meta.url).pathname

/** Beside each file what goes over the wire, so that the API compresses nothing it has not to. */
const compressed: Plugin = {
  name: 'compressed',
  closeBundle: () => {
    for (const name of readdirSync(OUT, { recursive: true, encoding: 'utf8' })) {
      if (!/\.(js|css|html|svg)$/.test(name)) continue
      const file = join(OUT, name)
      const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY }
      writeFileSync(`${file}.br`, brotliCompressSync(readFileSync(file), { params }))
    }
  },
}

/**
 * Scripts that are loaded on demand have no style sheet of their own, so that Vite's code for loading one is not needed. It
 * would be a large part of what the first load grows by.
 */
const plainImports: Plugin = {
  name: 'plain-imports',
  enforce: 'pre',
  load: (id) => (id === '\0vite/preload-helper.js' ? 'export const __vitePreload = (load) => load()' : null),
}

/** The dashboard: addresses are relative, so that it works behind any prefix; names change with the content. */
export default defineConfig({
  root: new URL('src/dashboard/', import.meta.url).pathname,
  base: './',
  build: {
    outDir: OUT,
    emptyOutDir: true,
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: false,
    reportCompressedSize: false,
  },
  plugins: [plainImports, compressed],
})
