export { cutAtGrapheme, graphemeBoundary } from './grapheme-boundary.ts'
