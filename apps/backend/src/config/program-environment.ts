/** What any program needs to find its parts, its user's files and the user's language. */
const PASSED_ON = ['PATH', 'HOME', 'USER', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR', 'SystemRoot'] as const

/** What programs that are started for somebody see of this process's environment: no setting and no key of ours. */
export function programEnvironment(
  environment: Readonly<Record<string, string | undefined>> = process.env
): Readonly<Record<string, string>> {
  const passed = PASSED_ON.map((name) => [name, environment[name]] as const)
  return Object.fromEntries(
    passed.filter((entry): entry is [(typeof PASSED_ON)[number], string] => entry[1] !== undefined)
  )
}
