/** All worksheet functions of the engine. */
import { logicalFunctions } from './logical/logical.ts';
import { sumFunctions } from './sums/sums.ts';
import { productFunctions } from './sums/products.ts';
import { matrixFunctions } from './sums/matrices.ts';
import { randomFunctions } from './sums/random.ts';
import { criteriaFunctions } from './sums/criteria-sums.ts';
import { subtotalFunctions } from './sums/subtotal.ts';
import { positionFunctions } from './lookup/positions.ts';
import { referenceFunctions } from './lookup/references.ts';
import { lookupFunctions } from './lookup/lookups.ts';
import { pivotFunctions } from './lookup/pivot-data.ts';
import { characterFunctions } from './text/characters.ts';
import { substringFunctions } from './text/substrings.ts';
import { numberTextFunctions } from './text/numbers.ts';
import { joinFunctions } from './text/join.ts';
import { splitFunctions } from './text/split.ts';
import { regexFunctions } from './text/regex.ts';
import { xmlFunctions } from './text/filter-xml.ts';
import { datePartFunctions } from './date/parts.ts';
import { dateDifferenceFunctions } from './date/differences.ts';
import { workdayFunctions } from './date/workdays.ts';
import { kindFunctions } from './information/kinds.ts';
import { sheetFunctions } from './information/sheets.ts';
import { cellFunctions } from './information/cell.ts';
import { shapeFunctions } from './array/shapes.ts';
import { stackFunctions } from './array/stacks.ts';
import { sortingFunctions } from './array/sorting.ts';
import { lambdaFunctions } from './array/lambdas.ts';
import { countingFunctions } from './math/counting.ts';
import { elementaryFunctions } from './math/elementary.ts';
import { roundingFunctions } from './math/rounding.ts';
import { databaseFunctions } from './database/database.ts';
import { annuityFunctions } from './financial/annuities.ts';
import { rateFunctions } from './financial/rates.ts';
import { cashFlowFunctions } from './financial/cash-flows.ts';
import { couponFunctions } from './financial/coupons.ts';
import { bondFunctions } from './financial/bonds.ts';
import { discountFunctions } from './financial/discounts.ts';
import { oddBondFunctions } from './financial/odd-bonds.ts';
import { accruedInterestFunctions } from './financial/accrued-interest.ts';
import { depreciationFunctions } from './financial/depreciation.ts';
import { frenchDepreciationFunctions } from './financial/french-depreciation.ts';
import { groupFunctions } from './array/groups.ts';
import { normalFunctions } from './statistics/normal.ts';
import { continuousFunctions } from './statistics/continuous.ts';
import { discreteFunctions } from './statistics/discrete.ts';
import { spreadFunctions } from './statistics/spread.ts';
import { orderFunctions } from './statistics/order.ts';
import { pairFunctions } from './statistics/pairs.ts';
import { smoothingFunctions } from './statistics/ets.ts';
import { testFunctions } from './statistics/tests.ts';
import { regressionFunctions } from './statistics/regression.ts';
import { baseFunctions } from './engineering/bases.ts';
import { bitFunctions } from './engineering/bits.ts';
import { besselFunctions } from './engineering/bessel.ts';
import { complexFunctions } from './engineering/complex.ts';
import { convertFunctions } from './engineering/convert.ts';
import { FORM_NAMES } from './form-names.ts';
import type { FunctionDefinition } from './function.ts';

const CATEGORIES: readonly (readonly FunctionDefinition[])[] = [
  sumFunctions,
  logicalFunctions,
  countingFunctions,
  elementaryFunctions,
  roundingFunctions,
  productFunctions,
  matrixFunctions,
  randomFunctions,
  criteriaFunctions,
  subtotalFunctions,
  positionFunctions,
  referenceFunctions,
  lookupFunctions,
  pivotFunctions,
  characterFunctions,
  substringFunctions,
  numberTextFunctions,
  joinFunctions,
  splitFunctions,
  regexFunctions,
  xmlFunctions,
  datePartFunctions,
  dateDifferenceFunctions,
  workdayFunctions,
  kindFunctions,
  sheetFunctions,
  cellFunctions,
  shapeFunctions,
  stackFunctions,
  sortingFunctions,
  lambdaFunctions,
  databaseFunctions,
  annuityFunctions,
  rateFunctions,
  cashFlowFunctions,
  couponFunctions,
  bondFunctions,
  discountFunctions,
  oddBondFunctions,
  accruedInterestFunctions,
  depreciationFunctions,
  frenchDepreciationFunctions,
  groupFunctions,
  normalFunctions,
  continuousFunctions,
  discreteFunctions,
  spreadFunctions,
  orderFunctions,
  pairFunctions,
  smoothingFunctions,
  testFunctions,
  regressionFunctions,
  baseFunctions,
  bitFunctions,
  besselFunctions,
  complexFunctions,
  convertFunctions,
];

const byName = new Map(CATEGORIES.flat().map((definition) => [definition.name, definition]));

/** Finds a function; `name` is in upper case, without the prefixes used in files. */
export function findFunction(name: string): FunctionDefinition | undefined {
  return byName.get(name);
}

/**
 * Returns all names that users can write, including special forms, in alphabetical order. Names that start with '_'
 * occur only in files.
 */
export function functionNames(): string[] {
  return [...byName.keys(), ...FORM_NAMES].filter((name) => !name.startsWith('_')).sort();
}
