import type { StructuredIndex } from '../../ports/index.ts'
import { DEFAULT_KNOWLEDGE_TYPES } from '../../structured/index.ts'
import type { TestApi } from '../test-api.ts'
import { comparisonCases } from './comparison-cases.ts'
import { facetCases } from './facet-cases.ts'
import { ladderCases } from './ladder-cases.ts'
import { matchingCases } from './matching-cases.ts'
import { exactNearestCases, nearestCases } from './nearest-cases.ts'
import { rescoringCases, scopeStatisticsCases, scoringCases } from './scoring-cases.ts'
import { structuredSuite } from './structured-suite.ts'
import type { Cases, StructuredSuiteOptions } from './structured-suite.ts'
import { withoutCases } from './without-cases.ts'
import { atomicCases, replacementCases, writingCases } from './writing-cases.ts'

const declarationCases: Cases = {
  'declares the default types, a width, a window and the abilities that this suite was told': async ({
    index: { capabilities },
    expect,
    abilities
  }) => {
    const { exactNearest, statistics, atomicReplacement, dimension, maxWindow } = capabilities
    expect({ exactNearest, statistics, atomicReplacement }).toEqual(abilities)
    expect(capabilities.knowledgeTypes.toSorted()).toEqual(DEFAULT_KNOWLEDGE_TYPES.toSorted())
    expect(dimension >= 2 && maxWindow >= 10_000).toBe(true)
  }
}

/**
 * Every guarantee of `StructuredIndex`, and contract 2 on top of it.
 * @param create makes a new, empty index with the default knowledge types, and any width of vectors from 2
 */
export function describeStructuredIndex(
  test: TestApi,
  create: () => Promise<StructuredIndex>,
  options: StructuredSuiteOptions = {}
): void {
  const always = {
    ...declarationCases,
    ...matchingCases,
    ...scoringCases,
    ...rescoringCases,
    ...facetCases,
    ...nearestCases,
    ...withoutCases,
    ...writingCases,
    ...replacementCases,
    ...ladderCases,
    ...comparisonCases
  }
  const cases = {
    always,
    scopeStatistics: scopeStatisticsCases,
    exactNearest: exactNearestCases,
    atomicReplacement: atomicCases
  }
  test.describe('structured index', () => structuredSuite(test, cases, create, options))
}
