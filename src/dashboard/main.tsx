import { render } from 'preact'
import 'uplot/dist/uPlot.min.css'
import { Dashboard } from './dashboard.tsx'
import { listenToKeys } from './parts/keyboard.ts'
import { followTheFeed } from './state/live.ts'

const root = document.getElementById('dashboard')
if (root === null) throw new Error('there is no place for the dashboard in the page')
followTheFeed()
listenToKeys()
render(<Dashboard />, root)
