/**
 * Depreciation as French law has it, in parts of years from the day of purchase. Source: Microsoft, 'AMORDEGRC function',
 * 'AMORLINC function'; how the first and last years are cut is read off results saved by Excel.
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

/** In leap years, days actually counted end February with the 28th. */
function withoutLeapDay(day: number, basis: number): number {
  const { year, month, day: dayOfMonth } = calendarDay(day);
  const isCut = (basis === 1 || basis === 3) && isLeapYear(year) && month === 2 && dayOfMonth >= 28;
  return isCut ? serialOfDay(year, month, 28) : day;
}

/** The part of a year from the purchase to the end of the first period; 0 stands for a whole one. */
function firstPart({ purchase, firstEnd, basis }: Asset): number {
  const days = daysBetween(withoutLeapDay(purchase, basis), withoutLeapDay(firstEnd, basis), basis);
  const year = basis === 1 ? (isLeapYear(calendarDay(purchase).year) ? 366 : 365) : basis === 3 ? 365 : 360;
  return days / year;
}

function firstLoss(asset: Asset, rate: number): number {
  const part = firstPart(asset);
  return Math.min((part === 0 ? 1 : part) * rate * asset.cost, asset.cost - asset.salvage);
}

/** 1 / rate is often a hair off the whole number it stands for. */
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

/** How much faster than by the straight line, by the years of life. */
function coefficient(life: number): number {
  if (life >= 3 && life <= 4) return 1.5;
  if (life >= 5 && life <= 6) return 2;
  return life > 6 ? 2.5 : 1;
}

/** To whole units, after thirteen decimals so that a half that was lost in calculation is one. */
const roundLoss = (value: number): number => Math.round(Math.round(value * 1e13) / 1e13);

/** The last year but one takes half of what is left, the last one the rest. */
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
