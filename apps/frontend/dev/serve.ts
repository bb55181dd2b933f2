import { mockState } from './mock-state.ts'
import { serveMock } from './serve-mock.ts'

/** The port that vite.config.ts sends the page's calls to. */
const PORT = 8123

const scene = (['first', 'out', 'in'] as const).find((name) => name === process.argv[2]) ?? 'in'
await serveMock(mockState(scene), PORT)
console.log(`The mock listens on http://127.0.0.1:${PORT}, with the page if it was built. Scene: ${scene}.`)
