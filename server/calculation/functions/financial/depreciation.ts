/**
 * Depreciation of an asset. Source: Microsoft, 'SLN function', 'SYD function', 'DB function', 'DDB function', 'VDB
 * function'.
 */
import type { CellError } from '#server/calculation/values/cell-value.ts';
import { DIV0_ERROR, NUM_ERROR } from '#server/calculation/values/coerce.ts';
import type { CallContext, FunctionDefinition } from '../function.ts';
import { numeric } from '../numeric.ts';

function straightLine([cost, salvage, life]: number[]): number | CellError {
  return life === 0 ? DIV0_ERROR : (cost! - salvage!) / life!;
}

function sumOfYears([cost, salvage, life, period]: number[]): number | CellError {
  if (salvage! < 0 || life! <= 0 || period! <= 0 || period! > life!) return NUM_ERROR;
  return ((cost! - salvage!) * (life! - period! + 1) * 2) / (life! * (life! + 1));
}

/**
 * Depreciates by a fixed rate rounded to three decimals. The first year has `months` months; an additional year may
 * therefore follow the last one.
 */
function fixedRate(
  [cost, salvage, lifeGiven, periodGiven, monthsGiven]: number[],
  context: CallContext,
): number | CellError {
  const [life, period, months] = [
    lifeGiven!,
    Math.max(Math.sign(periodGiven!), Math.trunc(periodGiven!)),
    Math.trunc(monthsGiven!),
  ];
  if (cost! < 0 || salvage! < 0 || life <= 0 || period < 1 || months < 1 || months > 12) return NUM_ERROR;
  if (period > life + (months < 12 ? 1 : 0)) return NUM_ERROR;
  if (cost === 0) return 0;
  const rate = Math.round((1 - (salvage! / cost!) ** (1 / life)) * 1000) / 1000;
  let lost = (cost! * rate * months) / 12;
  if (period === 1) return lost;
  let loss = 0;
  for (let year = 2; year <= period; year += 1) {
    context.spend(1);
    const isRest = year > life;
    loss = (cost! - lost) * rate * (isRest ? (12 - months) / 12 : 1);
    if (loss === 0) break;
    lost += loss;
  }
  return loss;
}

/** Returns the value at the end of a period by declining balance, without regard to the salvage value. */
const balanceAfter = (cost: number, rate: number, period: number): number => cost * (1 - rate) ** period;

function decliningBalance([cost, salvage, life, period, factor]: number[]): number | CellError {
  if (cost! < 0 || salvage! < 0 || life! <= 0 || period! <= 0 || factor! <= 0 || period! > life!) return NUM_ERROR;
  const rate = factor! / life!;
  if (rate >= 1) return period! <= 1 ? Math.max(0, cost! - salvage!) : 0;
  const before = period! <= 1 ? cost! : balanceAfter(cost!, rate, period! - 1);
  return Math.max(0, Math.min(before * rate, before - salvage!));
}

interface Asset {
  cost: number;
  salvage: number;
  life: number;
  factor: number;
}

/** Returns the depreciation of one whole period (from 1) by declining balance. */
function periodLoss({ cost, salvage, life, factor }: Asset, period: number): number {
  const loss = decliningBalance([cost, salvage, life, period, factor]);
  return typeof loss === 'number' ? loss : 0;
}

/**
 * Returns the depreciation from the start to a time in periods, by declining balance only; partial periods count
 * proportionally.
 */
function decliningLoss(asset: Asset, end: number, context: CallContext): number {
  let total = 0;
  for (let period = 1; period - 1 < end; period += 1) {
    context.spend(1);
    total += periodLoss(asset, period) * Math.min(1, end - period + 1);
  }
  return total;
}

/**
 * Returns the depreciation of the next `time` periods when `left` periods of the life remain. It switches permanently
 * to straight-line depreciation over the remaining life once that is higher.
 */
function switchingLoss(asset: Asset, time: number, left: number, context: CallContext): number {
  let rest = asset.cost - asset.salvage;
  let total = 0;
  let straight = 0;
  let isStraight = false;
  for (let period = 1; period - 1 < time; period += 1) {
    context.spend(1);
    let loss = straight;
    if (!isStraight) {
      const declining = periodLoss(asset, period);
      straight = rest / (left - period + 1);
      isStraight = straight > declining;
      loss = isStraight ? straight : declining;
      rest -= loss;
    }
    total += loss * Math.min(1, time - period + 1);
  }
  return total;
}

/**
 * Excel restarts at the start of the interval, with the value at that time, and counts periods from there. If the start
 * is within a period, that partial period comes first, then whole ones. Source: values saved by Excel.
 */
function lossBetween(asset: Asset, start: number, end: number, context: CallContext): number {
  const part = start % 1;
  const lossOf = (cost: number, from: number, to: number): number =>
    switchingLoss({ ...asset, cost }, to - from, asset.life - from, context);
  const afterPart = asset.cost - lossOf(asset.cost, 0, part);
  const worth = afterPart - lossOf(afterPart, part, start);
  return lossOf(worth, start, end);
}

function variableDeclining(args: number[], context: CallContext): number | CellError {
  const [cost, salvage, life, start, end, factor, noSwitch] = args as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  if (cost < 0 || salvage < 0 || life <= 0 || start < 0 || end < start || end > life || factor <= 0) return NUM_ERROR;
  const asset = { cost, salvage, life, factor };
  if (noSwitch === 0) return lossBetween(asset, start, end, context);
  return decliningLoss(asset, end, context) - decliningLoss(asset, start, context);
}

export const depreciationFunctions: FunctionDefinition[] = [
  numeric('SLN', 3, straightLine),
  numeric('SYD', 4, sumOfYears),
  numeric('DB', 5, fixedRate, { required: 4, defaults: [0, 0, 0, 0, 12] }),
  numeric('DDB', 5, decliningBalance, { required: 4, defaults: [0, 0, 0, 0, 2] }),
  numeric('VDB', 7, variableDeclining, { required: 5, defaults: [0, 0, 0, 0, 0, 2, 0] }),
];
