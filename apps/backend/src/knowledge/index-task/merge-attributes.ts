import { type DocumentAttributes, ERROR_CODES_LIMIT } from '@oncall-agent/api-contracts'
import type { DocumentForm } from '../../store/index.ts'
import type { KnowledgeAttributes } from '../extract/extracted-document.ts'
import { detectErrorCodes } from './detect-error-codes.ts'

/**
 * A document's attributes: each field of the form that was given wins over the front matter's. Codes that the text
 * names are added to those of form or front matter when the form asks for it.
 */
export function mergeAttributes(form: DocumentForm, own: KnowledgeAttributes, text: string): DocumentAttributes {
  const given = form.errorCodes ?? own.errorCodes
  const detected = form.detectErrorCodes ? detectErrorCodes(text, ERROR_CODES_LIMIT) : []
  return {
    knowledgeType: form.knowledgeType ?? own.knowledgeType ?? null,
    project: form.project ?? own.project ?? null,
    equipment: form.equipment ?? own.equipment ?? null,
    errorCodes: [...new Set([...given, ...detected])].slice(0, ERROR_CODES_LIMIT)
  }
}

/** Attributes as the publishing stage takes them: what is not known is absent. */
export function knownAttributes({
  knowledgeType,
  project,
  equipment,
  errorCodes
}: DocumentAttributes): KnowledgeAttributes {
  return {
    ...(knowledgeType === null ? {} : { knowledgeType }),
    ...(project === null ? {} : { project }),
    ...(equipment === null ? {} : { equipment }),
    errorCodes
  }
}
