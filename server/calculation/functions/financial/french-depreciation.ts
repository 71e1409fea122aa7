/**
 * Depreciation by French law, in fractions of years from the purchase date. Source: Microsoft, 'AMORDEGRC function',
 * 'AMORLINC function'; results saved by Excel show how the first and last years are prorated.
 */
import type { CellError } from '#server/calculation/values/cell-value.ts';
import { NUM_ERROR } from '#server/calculation/values/coerce.ts';
import { calendarDay, isLeapYear, serialOfDay } from '../date/calendar.ts';
import type { CallContext, FunctionDefinition } from '../function.ts';
import { daysBetween } from '../date/day-count.ts';
import { security } from './security.ts';

interface Asset {
  cost: number;
  purchase: number;
  firstEnd: number;
  salvage: number;
  period: number;
  rate: number;
  basis: number;
}

type Seven = [number, number, number, number, number, number, number];

function assetOf(args: number[]): Asset | CellError {
  const [cost, purchase, firstEnd, salvage, period, rate, basis] = args as Seven;
  const isValid = cost >= 0 && salvage >= 0 && salvage <= cost && period >= 0 && rate > 0 && basis !== 2;
  if (!isValid || purchase > firstEnd) return NUM_ERROR;
  return { cost, purchase, firstEnd, salvage, period, rate, basis };
}

/** In leap years, actual day counts treat the 28th as the last day of February. */
function withoutLeapDay(day: number, basis: number): number {
  const { year, month, day: dayOfMonth } = calendarDay(day);
  const isCut = (basis === 1 || basis === 3) && isLeapYear(year) && month === 2 && dayOfMonth >= 28;
  return isCut ? serialOfDay(year, month, 28) : day;
}

/** Returns the fraction of a year from the purchase to the end of the first period; 0 stands for a whole year. */
function firstPart({ purchase, firstEnd, basis }: Asset): number {
  const days = daysBetween(withoutLeapDay(purchase, basis), withoutLeapDay(firstEnd, basis), basis);
  const year = basis === 1 ? (isLeapYear(calendarDay(purchase).year) ? 366 : 365) : basis === 3 ? 365 : 360;
  return days / year;
}

function firstLoss(asset: Asset, rate: number): number {
  const part = firstPart(asset);
  return Math.min((part === 0 ? 1 : part) * rate * asset.cost, asset.cost - asset.salvage);
}

/** Rounds first, because 1 / rate often misses the exact integer by a rounding error. */
const lifeOf = (rate: number): number => Math.ceil(Number((1 / rate).toPrecision(15)));

function linear(args: number[], context: CallContext): number | CellError {
  const asset = assetOf(args);
  if (!('cost' in asset)) return asset;
  const { cost, salvage, period, rate } = asset;
  if (cost === salvage || period > lifeOf(rate)) return 0;
  const first = firstLoss(asset, rate);
  if (period === 0) return first;
  let rest = cost - salvage - first;
  let loss = rate * cost;
  for (let year = 1; year <= period; year += 1) {
    context.spend(1);
    loss = Math.min(loss, rest);
    rest = Math.max(0, rest - loss);
  }
  return loss;
}

/** Returns the acceleration factor over straight-line depreciation, by the life in years. */
function coefficient(life: number): number {
  if (life >= 3 && life <= 4) return 1.5;
  if (life >= 5 && life <= 6) return 2;
  return life > 6 ? 2.5 : 1;
}

/** Rounds to an integer. Rounding to thirteen decimals first restores halves lost to rounding errors. */
const roundLoss = (value: number): number => Math.round(Math.round(value * 1e13) / 1e13);

/** The year before the last takes half of the remaining value, the last year takes the rest. */
function degressive(args: number[], context: CallContext): number | CellError {
  const asset = assetOf(args);
  if (!('cost' in asset)) return asset;
  const { cost, salvage, period } = asset;
  const years = lifeOf(asset.rate);
  if (years < 3 || (years > 4 && years < 5)) return NUM_ERROR;
  if (cost === salvage || period > years) return 0;
  let rate = asset.rate * coefficient(years);
  const first = roundLoss(firstLoss(asset, rate));
  if (period === 0) return first;
  const life = firstPart(asset) === 0 ? years : years + 1;
  let rest = cost - first;
  let loss = 0;
  for (let year = 1; year <= period; year += 1) {
    context.spend(1);
    const isLastButOne = life - year - 1 === 2;
    loss = isLastButOne ? rest * 0.5 : rate * rest;
    if (isLastButOne) rate = 1;
    if (rest < salvage) loss = 0;
    rest -= loss;
  }
  return roundLoss(loss);
}

export const frenchDepreciationFunctions: FunctionDefinition[] = [
  security('AMORDEGRC', 'nddnnnb', degressive),
  security('AMORLINC', 'nddnnnb', linear),
];
