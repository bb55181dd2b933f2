import { translatePortError } from '../observability/index.ts'

/** Runs one call of a port; its failure ends the run with a code of the public catalogue. */
export async function throughPort<Result>(call: () => Promise<Result>): Promise<Result> {
  try {
    return await call()
  } catch (error) {
    throw translatePortError(error)
  }
}
