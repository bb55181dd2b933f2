/** A stated probability of relevance and what the judgement says. */
export interface Forecast {
  readonly probability: number
  readonly relevant: boolean
}

export interface BrierReport {
  readonly forecasts: number
  /** Mean squared distance of probability and outcome (Brier 1950): 0 is perfect. */
  readonly brier: number
  /** Share of relevant pairs. */
  readonly baseRate: number
  /**
   * 1 - brier / (brier of always saying the base rate): comparable between pools of different base rates;
   * 0 when all outcomes are alike, because nothing can be gained there.
   */
  readonly skill: number
}

/** @throws RangeError for no forecast or a probability outside 0..1 */
export function brierScore(forecasts: readonly Forecast[]): BrierReport {
  if (forecasts.length === 0) throw new RangeError('a Brier score needs at least one forecast')
  let squares = 0
  let relevant = 0
  for (const forecast of forecasts) {
    if (!(forecast.probability >= 0 && forecast.probability <= 1)) {
      throw new RangeError(`a probability must be in 0..1, not ${forecast.probability}`)
    }
    squares += (forecast.probability - Number(forecast.relevant)) ** 2
    relevant += Number(forecast.relevant)
  }
  const brier = squares / forecasts.length
  const baseRate = relevant / forecasts.length
  const uninformed = baseRate * (1 - baseRate)
  return { forecasts: forecasts.length, brier, baseRate, skill: uninformed === 0 ? 0 : 1 - brier / uninformed }
}
