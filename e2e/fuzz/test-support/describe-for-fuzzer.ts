interface Parameter {
  readonly name: string
  readonly in: string
}

interface Operation {
  readonly operationId: string
  readonly parameters?: readonly Parameter[]
}

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

/** Values of path parameters that name something, by operation; `*` for those of every other operation of a path. */
export type Known = (path: string, operationId: string) => Readonly<Record<string, string>>

/** Classes of Unicode that the fuzzer's Python cannot make texts of, in words that it can: equal, but that `\w` also takes a few marks. */
const CLASSES: readonly (readonly [string, string])[] = [
  [String.raw`[\p{L}\p{N}._@-]`, String.raw`[\w.@-]`],
  [String.raw`[^\p{Cc}/\\]`, String.raw`[^\x00-\x1f\x7f-\x9f/\\]`],
  [String.raw`[^\p{Cc}\u202A-\u202E\u2066-\u2069]`, String.raw`[^\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]`]
]

/** The server's own description as the fuzzer can use it: patterns that it reads, and ids that exist beside those it makes up. */
export function describeForFuzzer(description: Description, known: Known): unknown {
  const readable = JSON.parse(JSON.stringify(description), (key, value: unknown) =>
    key === 'pattern' && typeof value === 'string' ? readablePattern(value) : value
  ) as Description
  const paths = Object.entries(readable.paths).map(([path, operations]) => [
    path,
    Object.fromEntries(
      Object.entries(operations).map(([method, operation]) => [
        method,
        withExamples(operation, known(path, operation.operationId))
      ])
    )
  ])
  return { ...readable, paths: Object.fromEntries(paths) as unknown }
}

function readablePattern(pattern: string): string {
  const readable = CLASSES.reduce((text, [unicode, plain]) => text.replaceAll(unicode, plain), pattern)
  if (/\\p/i.test(readable)) throw new Error(`the fuzzer cannot make texts of ${pattern}: say it in CLASSES`)
  return readable
}

function withExamples(operation: Operation, known: Readonly<Record<string, string>>): Operation {
  const parameters = operation.parameters?.map((parameter) => {
    const example = parameter.in === 'path' ? known[parameter.name] : undefined
    return example === undefined ? parameter : { ...parameter, example }
  })
  return { ...operation, ...(parameters === undefined ? {} : { parameters }) }
}
