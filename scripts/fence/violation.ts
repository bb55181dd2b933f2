export interface Violation {
  readonly rule: string
  /** Relative to the root, with forward slashes. */
  readonly file: string
  readonly what: string
  /** How to mend it. */
  readonly mend: string
}
