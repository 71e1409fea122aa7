/**
 * Securities with a single payment: discounted, with interest at maturity, and Treasury bills. Source: Microsoft's
 * function reference.
 */
import type { CellError } from '#server/calculation/values/cell-value.ts';
import { NUM_ERROR } from '#server/calculation/values/coerce.ts';
import type { FunctionDefinition } from '../function.ts';
import { addMonths, daysBetween, daysInYear } from '../date/day-count.ts';
import { security } from './security.ts';

const yearsBetween = (first: number, last: number, basis: number): number =>
  daysBetween(first, last, basis) / daysInYear(first, last, basis);

type Two = (years: number, first: number, second: number) => number | CellError;

/** Creates a function of settlement, maturity, two positive numbers and a basis. */
function once(name: string, calculate: Two): FunctionDefinition {
  return security(name, 'ddnnb', (args) => {
    const [settlement, maturity, first, second, basis] = args as [number, number, number, number, number];
    if (settlement >= maturity || first <= 0 || second <= 0) return NUM_ERROR;
    return calculate(yearsBetween(settlement, maturity, basis), first, second);
  });
}

type Six = [number, number, number, number, number, number];

/**
 * Times for securities that pay interest at maturity: from the issue to the maturity, from the issue to the settlement,
 * and between the two.
 */
function interestTimes(settlement: number, maturity: number, issue: number, basis: number) {
  const year = daysInYear(issue, settlement, basis);
  const whole = daysBetween(issue, maturity, basis);
  const elapsed = daysBetween(issue, settlement, basis);
  return { whole: whole / year, elapsed: elapsed / year, rest: (whole - elapsed) / year };
}

function priceAtMaturity(args: number[]): number | CellError {
  const [settlement, maturity, issue, rate, yearlyYield, basis] = args as Six;
  if (settlement >= maturity || settlement < issue || rate < 0 || yearlyYield < 0) return NUM_ERROR;
  const { whole, elapsed, rest } = interestTimes(settlement, maturity, issue, basis);
  return (100 + whole * rate * 100) / (1 + rest * yearlyYield) - elapsed * rate * 100;
}

function yieldAtMaturity(args: number[]): number | CellError {
  const [settlement, maturity, issue, rate, price, basis] = args as Six;
  if (settlement >= maturity || settlement < issue || rate < 0 || price <= 0) return NUM_ERROR;
  const { whole, elapsed, rest } = interestTimes(settlement, maturity, issue, basis);
  const cost = price / 100 + elapsed * rate;
  return (1 + whole * rate - cost) / cost / rest;
}

type Bill = (days: number, value: number) => number | CellError;

/** Treasury bills have a term of at most one year. */
function bill(name: string, calculate: Bill): FunctionDefinition {
  return security(
    name,
    'ddn',
    (args) => {
      const [settlement, maturity, value] = args as [number, number, number];
      if (settlement >= maturity || maturity > addMonths(settlement, 12, false) || value <= 0) return NUM_ERROR;
      return calculate(maturity - settlement, value);
    },
    3,
  );
}

function billPrice(days: number, discount: number): number | CellError {
  const price = 100 * (1 - (discount * days) / 360);
  return price < 0 ? NUM_ERROR : price;
}

/**
 * Returns the bond-equivalent yield. For more than half a year it includes interest on interest, by the quadratic
 * equation of the Treasury.
 */
function bondEquivalent(days: number, discount: number): number | CellError {
  if (days <= 182) return (365 * discount) / (360 - discount * days);
  const price = (100 - (discount * 100 * days) / 360) / 100;
  const years = days / (days === 366 ? 366 : 365);
  const root = years ** 2 - (2 * years - 1) * (1 - 1 / price);
  return root < 0 ? NUM_ERROR : (2 * (Math.sqrt(root) - years)) / (2 * years - 1);
}

export const discountFunctions: FunctionDefinition[] = [
  once('DISC', (years, price, redemption) => (1 - price / redemption) / years),
  once('INTRATE', (years, investment, redemption) => (redemption - investment) / investment / years),
  once('RECEIVED', (years, investment, discount) => {
    const rest = 1 - discount * years;
    return rest <= 0 ? NUM_ERROR : investment / rest;
  }),
  once('PRICEDISC', (years, discount, redemption) => redemption - discount * redemption * years),
  once('YIELDDISC', (years, price, redemption) => (redemption - price) / price / years),
  security('PRICEMAT', 'dddnnb', priceAtMaturity),
  security('YIELDMAT', 'dddnnb', yieldAtMaturity),
  bill('TBILLPRICE', billPrice),
  bill('TBILLYIELD', (days, price) => (((100 - price) / price) * 360) / days),
  bill('TBILLEQ', bondEquivalent),
];
