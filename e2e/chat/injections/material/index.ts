import type { Injection } from '../injection.ts'
import { inDocuments } from './documents.ts'
import { inMonitoring } from './monitoring.ts'
import { beyondScope } from './scope.ts'
import { inTools } from './tools.ts'
import { inWords } from './words.ts'

export { inMonitoring }

/** Those that need no monitoring. */
export const injections: readonly Injection[] = [...inDocuments, ...beyondScope, ...inTools, ...inWords]
