/** Variables by which libraries configure themselves, past our settings: addresses, keys, tracing to somebody's service. */
const foreign = /^(LANGCHAIN|LANGSMITH|LANGGRAPH|OPENAI)_/

/** Takes out of the environment what is no setting of ours and would be read as one of a library's. */
export function forgetForeignSettings(environment: Record<string, string | undefined> = process.env): void {
  for (const name of Object.keys(environment)) if (foreign.test(name)) delete environment[name]
}
