export { rebuildIndices } from './rebuild-indices.ts'
