import { render } from 'preact'
import 'uplot/dist/uPlot.min.css'
import { Dashboard } from './dashboard.tsx'
import { listenToKeys } from './parts/keyboard.ts'
import { followTheHealth } from './state/health.ts'
import { followTheFeed } from './state/live.ts'

const root = document.getElementById('dashboard')
if (root === null) throw new Error('there is no place for the dashboard in the page')
followTheFeed()
followTheHealth()
listenToKeys()
render(<Dashboard />, root)
