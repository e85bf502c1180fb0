import { useState } from 'preact/hooks'
import { type DownloadedList, type DownloadFormat, downloadOfList } from '../state/download-list.ts'
import { key } from '../state/session.ts'

interface DownloadProperties extends DownloadedList {
  /** File name without extension. */
  readonly name: string
}

/** Downloads a list with its filters, as CSV or JSON. */
export const Download = (list: DownloadProperties) => (
  <span class="downloads">
    <DownloadButton list={list} format="csv" />
    <DownloadButton list={list} format="json" />
  </span>
)

const TITLES = { csv: 'CSV', json: 'JSON' } as const
const TYPES = { csv: 'text/csv', json: 'application/json' } as const

type DownloadState = 'ready' | 'loading' | 'failed'

const labelOf = (state: DownloadState, title: string): string =>
  ({ ready: `Download ${title}`, loading: `Preparing ${title} …`, failed: `Download of ${title} failed: try again` })[
    state
  ]

interface DownloadButtonProperties {
  readonly list: DownloadProperties
  readonly format: DownloadFormat
}

function DownloadButton({ list, format }: DownloadButtonProperties) {
  const [state, setState] = useState<DownloadState>('ready')
  const download = async (): Promise<void> => {
    setState('loading')
    try {
      const text = await downloadOfList(list, { format, key: key.value })
      save(new Blob([text], { type: TYPES[format] }), `${list.name}.${format}`)
      setState('ready')
    } catch {
      setState('failed')
    }
  }
  return (
    <button type="button" class="download" disabled={state === 'loading'} onClick={() => void download()}>
      {labelOf(state, TITLES[format])}
    </button>
  )
}

function save(content: Blob, file: string): void {
  const address = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = address
  link.download = file
  link.click()
  URL.revokeObjectURL(address)
}
