/** The part of an OpenAPI 3.1 description that is written and read here. */
export interface OpenApiDescription {
  readonly openapi: string
  readonly info: { readonly title: string; readonly version: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components?: Readonly<Record<string, unknown>>
}

export interface Operation {
  readonly operationId?: string
  readonly summary?: string
  readonly tags?: readonly string[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly required?: boolean; readonly content?: Contents }
  readonly responses?: Readonly<Record<string, Response>>
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[]
  /** Who may call it, in words. */
  readonly 'x-access'?: string
}

export interface Parameter {
  readonly name: string
  readonly in: 'query' | 'path' | 'header'
  readonly required?: boolean
  readonly description?: string
  readonly schema?: { readonly description?: string; readonly [key: string]: unknown }
}

export interface Response {
  readonly description: string
  readonly content?: Contents
  readonly headers?: Readonly<Record<string, unknown>>
}

type Contents = Readonly<Record<string, { readonly schema?: unknown }>>
