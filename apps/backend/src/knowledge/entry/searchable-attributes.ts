import { ERROR_CODES_LIMIT } from '@oncall-agent/api-contracts'
import type { KnowledgeAttributes, PreparedDocument } from '../extract/extracted-document.ts'
import type { EntrySettings } from '../settings.ts'

/** UTF-16 units. A request's filter values have at most so many, so a longer value could never be asked for. */
const VALUE_LIMIT = 1_000

/** What structured search filters a document by. */
export interface SearchableAttributes {
  /** One of the configured types. */
  readonly knowledgeType: string
  readonly project?: string
  readonly equipment?: string
  readonly errorCodes: readonly string[]
  /** Sentences for a person: what a document says of itself and is not searched by. */
  readonly warnings: readonly string[]
}

/** A document without a type, or of one that is not configured, is of the default type. */
export function searchableAttributes(given: KnowledgeAttributes, settings: EntrySettings): SearchableAttributes {
  const { knowledgeTypes, defaultType } = settings
  const type = given.knowledgeType
  const isKnown = type !== undefined && knowledgeTypes.includes(type)
  const project = bounded('project', given.project)
  const equipment = bounded('equipment', given.equipment)
  const codes = [...new Set(given.errorCodes)].filter((code) => code !== '')
  const fitting = codes.filter((code) => code.length <= VALUE_LIMIT && code.isWellFormed())
  const left = codes.length - Math.min(fitting.length, ERROR_CODES_LIMIT)
  return {
    knowledgeType: isKnown ? type : defaultType,
    ...(project.value === undefined ? {} : { project: project.value }),
    ...(equipment.value === undefined ? {} : { equipment: equipment.value }),
    errorCodes: fitting.slice(0, ERROR_CODES_LIMIT),
    warnings: [
      ...(type === undefined || isKnown ? [] : [unknownType(type, settings)]),
      ...project.warnings,
      ...equipment.warnings,
      ...(left === 0
        ? []
        : [
            `${left} of its ${codes.length} error codes are not searched by: they are too many, too long or hold half a character`
          ])
    ]
  }
}

/** The document with a warning for each thing that it says of itself and is not searched by. */
export function warnOfAttributes(document: PreparedDocument, settings: EntrySettings): PreparedDocument {
  const { warnings } = searchableAttributes(document.attributes, settings)
  return warnings.length === 0 ? document : { ...document, warnings: [...document.warnings, ...warnings] }
}

function bounded(name: string, value: string | undefined): { value?: string; warnings: readonly string[] } {
  if (value === undefined || value === '') return { warnings: [] }
  if (!value.isWellFormed()) return { warnings: [`its ${name} holds half a character, and is not searched by`] }
  if (value.length <= VALUE_LIMIT) return { value, warnings: [] }
  return { warnings: [`its ${name} has ${value.length} characters, more than can be searched by`] }
}

function unknownType(type: string, { knowledgeTypes, defaultType }: EntrySettings): string {
  const shown = type.length > 100 ? `${type.slice(0, 100).toWellFormed()}…` : type
  return `its knowledge type "${shown}" is none of ${knowledgeTypes.join(', ')}; it is searched as ${defaultType}`
}
