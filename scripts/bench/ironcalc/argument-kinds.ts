/**
 * What a function expects of an argument. This decides whether a range is intersected with the formula's row or column
 * (Excel's operand classes; source: [MS-XLS] 2.2.2, 'Rgce' token classes, and OpenFormula).
 */
export type ArgumentKind =
  /** A single value: a range is intersected. */
  | 'value'
  /** A range is passed unchanged; nested expressions are calculated for single values. */
  | 'reference'
  /** A range is passed unchanged; nested expressions are calculated over arrays. */
  | 'array'
  /** Whatever the surrounding formula expects (the branches of IF). */
  | 'inherit';

const R = 'reference';
const A = 'array';
const V = 'value';
const I = 'inherit';

/** The last kind applies to all further arguments. */
const KINDS = new Map<string, ArgumentKind[]>();

function define(kinds: ArgumentKind[], names: string): void {
  for (const name of names.split(' ')) KINDS.set(name, kinds);
}

define([
  R,
], 'SUM AVERAGE AVERAGEA COUNT COUNTA COUNTBLANK MAX MAXA MIN MINA PRODUCT SUMSQ STDEV STDEVA STDEVP STDEVPA STDEV.S ' +
  'STDEV.P VAR VARA VARP VARPA VAR.S VAR.P MEDIAN MODE MODE.SNGL MODE.MULT GEOMEAN HARMEAN AVEDEV DEVSQ SKEW SKEW.P ' +
  'KURT AND OR XOR CONCAT NPV GCD LCM MULTINOMIAL ROWS COLUMNS ROW COLUMN AREAS N T TYPE ISREF SHEET SHEETS FORMULATEXT ' +
  'ISFORMULA PHONETIC SINGLE ANCHORARRAY TOCOL TOROW TRIMRANGE _TRO_LEADING _TRO_TRAILING _TRO_ALL ARRAYTOTEXT VALUETOTEXT IRR MIRR XNPV XIRR');
define([
  A,
], 'SUMPRODUCT MMULT MINVERSE MDETERM TRANSPOSE FREQUENCY CORREL COVAR COVARIANCE.P COVARIANCE.S PEARSON RSQ SLOPE INTERCEPT ' +
  'STEYX LINEST LOGEST TREND GROWTH SUMX2MY2 SUMX2PY2 SUMXMY2 CHITEST CHISQ.TEST FTEST F.TEST PROB LET LAMBDA MAP REDUCE ' +
  'SCAN BYROW BYCOL MAKEARRAY FILTER SORT SORTBY UNIQUE SEQUENCE RANDARRAY VSTACK HSTACK TAKE DROP CHOOSEROWS CHOOSECOLS ' +
  'EXPAND WRAPROWS WRAPCOLS GROUPBY PIVOTBY TEXTSPLIT');
define([A, A, V], 'TTEST T.TEST FORECAST.ETS.SEASONALITY FORECAST.ETS.STAT');
define([A, V], 'ZTEST Z.TEST');
define([V, A, A, V], 'FORECAST FORECAST.LINEAR FORECAST.ETS FORECAST.ETS.CONFINT');
define([V, I], 'IF CHOOSE');
define([R, V], 'INDEX OFFSET LARGE SMALL PERCENTILE PERCENTILE.INC PERCENTILE.EXC QUARTILE QUARTILE.INC QUARTILE.EXC');
define([R, V], 'PERCENTRANK PERCENTRANK.INC PERCENTRANK.EXC TRIMMEAN COUNTIF');
define([V, R], 'SUBTOTAL CELL');
define([V, A, V], 'VLOOKUP HLOOKUP MATCH');
define([V, A, A], 'LOOKUP');
define([V, A, A, V], 'XLOOKUP');
define([V, A, V, V], 'XMATCH');
define([V, R, V], 'RANK RANK.EQ RANK.AVG');
define([V, V, R], 'TEXTJOIN AGGREGATE');
define([R, V, R], 'SUMIF AVERAGEIF DSUM DCOUNT DCOUNTA DAVERAGE DMAX DMIN DGET DPRODUCT DSTDEV DSTDEVP DVAR DVARP');
define([V, R], 'FVSCHEDULE');
define([V, V, R], 'NETWORKDAYS WORKDAY');
define([V, V, V, R], 'NETWORKDAYS.INTL WORKDAY.INTL');
define([V, V, V, R], 'SERIESSUM');

/** Functions that take ranges and criteria in turn: the ranges are passed unchanged, the criteria are values. */
const PAIRS = new Map([
  ['COUNTIFS', 0],
  ['SUMIFS', 1],
  ['AVERAGEIFS', 1],
  ['MAXIFS', 1],
  ['MINIFS', 1],
]);

/** Returns the kind of argument `index` (from 0) of a function; `name` is in upper case, without prefixes. */
export function argumentKind(name: string, index: number): ArgumentKind {
  const first = PAIRS.get(name);
  if (first !== undefined) return index < first || (index - first) % 2 === 0 ? R : V;
  const kinds = KINDS.get(name);
  return kinds ? kinds[Math.min(index, kinds.length - 1)]! : V;
}

/** Functions that can return a reference instead of a value. */
export const REFERENCE_FUNCTIONS: ReadonlySet<string> = new Set(['INDEX', 'OFFSET', 'INDIRECT']);

/**
 * Functions that take any number of ranges and process them one by one. A union or a 3-D reference can be passed to
 * them area by area.
 */
export const AGGREGATES: ReadonlySet<string> = new Set(
  (
    'SUM AVERAGE AVERAGEA COUNT COUNTA MAX MAXA MIN MINA PRODUCT SUMSQ STDEV STDEVA STDEVP STDEVPA STDEV.S STDEV.P ' +
    'VAR VARA VARP VARPA VAR.S VAR.P MEDIAN MODE MODE.SNGL GEOMEAN HARMEAN AVEDEV DEVSQ SKEW SKEW.P KURT AND OR XOR ' +
    'CONCAT GCD LCM MULTINOMIAL'
  ).split(' '),
);
