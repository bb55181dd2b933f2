import { storeFailure } from './store-failure.ts'

type Operations = Readonly<Record<string, (...given: never[]) => Promise<unknown>>>

/** The same operations; what SQLite throws in them becomes an AppError that names the operation ("find run"). */
export function guardOperations<Given extends object>(about: string, operations: Given, subject: string): Given {
  const guarded = Object.entries(operations as unknown as Operations).map(([name, operation]) => [
    name,
    async (...given: never[]): Promise<unknown> => {
      try {
        return await operation(...given)
      } catch (cause) {
        throw storeFailure(cause, { operation: `${about}: ${name}`, subject, opening: false })
      }
    }
  ])
  return Object.fromEntries(guarded) as Given
}
