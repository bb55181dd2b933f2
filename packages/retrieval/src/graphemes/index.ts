export { cutAtGrapheme, extendsGrapheme, graphemeBoundary, graphemeEnd } from './grapheme-boundary.ts'
