import type { DocExample } from '../example.ts'

export const getLiveness: DocExample = { answer: { status: 'alive' } }

export const getReadiness: DocExample = { answer: { status: 'ready' } }

export const getHealth: DocExample = { answer: { status: 'ok', version: '0.1.0', reasons: [] } }

export const getEchoHealth: DocExample = {
  answer: {
    status: 'ok',
    platforms: {
      reddit: { status: 'live', last_success_at: '2026-11-22T07:47:12.588Z' },
      bluesky: { status: 'live', last_success_at: '2026-11-22T07:47:12.588Z' },
      twitter: { status: 'live', last_success_at: '2026-11-22T07:47:12.588Z' },
    },
  },
}
