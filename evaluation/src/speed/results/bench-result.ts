/** The promise that a figure is held to. */
export interface Budget {
  readonly compare: 'at most' | 'at least'
  readonly limit: number
}

/** One line of the report. */
export interface BenchResult {
  readonly name: string
  /** Null when it was not measured. */
  readonly value: number | null
  readonly unit: string
  /** `<= 1.6`, `>= 5`; null for figures that only orient. */
  readonly budget: string | null
  /** Null without a budget or a value. */
  readonly ok: boolean | null
  /** How it was taken, with the absolute figures behind a ratio; or why it was not. */
  readonly note: string
}

export interface Measured {
  readonly name: string
  readonly value: number
  readonly unit: string
  readonly note: string
}

export function atMost(limit: number): Budget {
  return { compare: 'at most', limit }
}

export function atLeast(limit: number): Budget {
  return { compare: 'at least', limit }
}

/** Holds a figure to its budget; the figure is rounded to four digits afterwards, never before. */
export function judge(measured: Measured, budget: Budget | null = null): BenchResult {
  const ok = budget === null ? null : meets(measured.value, budget)
  return { ...measured, value: Number(measured.value.toPrecision(4)), budget: textOf(budget), ok }
}

/** A line that could not be measured here, with the reason. */
export function skipped(line: Omit<Measured, 'value' | 'note'>, budget: Budget | null, reason: string): BenchResult {
  return { ...line, value: null, budget: textOf(budget), ok: null, note: `skipped: ${reason}` }
}

function meets(value: number, budget: Budget): boolean {
  if (!Number.isFinite(value)) return false
  return budget.compare === 'at most' ? value <= budget.limit : value >= budget.limit
}

function textOf(budget: Budget | null): string | null {
  return budget === null ? null : `${budget.compare === 'at most' ? '<=' : '>='} ${budget.limit}`
}
