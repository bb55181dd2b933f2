/** Fields beside the files of an upload; an empty one is not sent, so the document's own front matter counts. */
export interface UploadFields {
  readonly index: boolean
  readonly detectErrorCodes: boolean
  readonly knowledgeType?: string
  readonly project?: string
  readonly equipment?: string
  readonly errorCodes?: string
}

export const attributeNames = ['knowledgeType', 'project', 'equipment', 'errorCodes'] as const

export type AttributeInputs = Record<(typeof attributeNames)[number], string>

export function uploadFields(index: boolean, detectErrorCodes: boolean, inputs: AttributeInputs): UploadFields {
  const given = attributeNames.map((name) => [name, inputs[name].trim()] as const).filter(([, text]) => text !== '')
  return { index, detectErrorCodes, ...Object.fromEntries(given) }
}
