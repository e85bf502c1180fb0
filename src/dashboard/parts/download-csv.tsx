import { useState } from 'preact/hooks'
import { csvOfList } from '../state/download-csv.ts'
import { key } from '../state/session.ts'

interface DownloadCsvProperties {
  readonly path: string
  readonly query: Readonly<Record<string, unknown>>
  /** File name without extension. */
  readonly name: string
}

const LABELS = { ready: 'Download CSV', loading: 'Preparing CSV …', failed: 'Download failed: try again' } as const

/** Downloads a list with its filters as CSV. */
export function DownloadCsv({ path, query, name }: DownloadCsvProperties) {
  const [state, setState] = useState<keyof typeof LABELS>('ready')
  const download = async (): Promise<void> => {
    setState('loading')
    try {
      save(await csvOfList({ path, query }, key.value), `${name}.csv`)
      setState('ready')
    } catch {
      setState('failed')
    }
  }
  return (
    <button type="button" class="download" disabled={state === 'loading'} onClick={() => void download()}>
      {LABELS[state]}
    </button>
  )
}

function save(text: string, file: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/csv' }))
  const link = document.createElement('a')
  link.href = address
  link.download = file
  link.click()
  URL.revokeObjectURL(address)
}
