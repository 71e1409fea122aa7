/** Prepares the timeline of FORECAST.ETS: sorts points, aggregates duplicates, checks even spacing and fills gaps. */
import { CellError } from '#server/calculation/values/cell-value.ts';
import { NA_ERROR, NUM_ERROR, VALUE_ERROR } from '#server/calculation/values/coerce.ts';
import type { FormulaValue } from '#server/calculation/values/matrix.ts';
import { arrayOf } from '../array/cells.ts';
import { calendarDay, dayOf, monthLength } from '../date/calendar.ts';
import type { CallContext } from '../function.ts';
import { meanOf } from './samples.ts';

export interface Timeline {
  /** One value per step. */
  values: Float64Array;
  /** Distance between two points, in the unit of the timeline or in months. */
  step: number;
  /** Returns the number of steps from the first point to a time. */
  stepsTo: (time: number) => number;
}

/** Aggregations of values with the same time, by their number in the formula. */
const JOINS: readonly ((values: number[]) => number)[] = [
  meanOf,
  (values) => values.length,
  (values) => values.length,
  (values) => values.reduce((a, b) => Math.max(a, b)),
  median,
  (values) => values.reduce((a, b) => Math.min(a, b)),
  (values) => values.reduce((a, b) => a + b),
];
/** Maximum fraction of points that can be missing. */
const MAX_MISSING_SHARE = 0.3;
/** Maximum deviation of a time from its position, as a fraction of a step. */
const TOLERANCE = 1e-6;

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** Builds a timeline. `join` is 1 (AVERAGE) to 7 (SUM). If `fillsWithZeros` is false, gaps are interpolated. */
export function timelineOf(
  [values, times]: readonly [FormulaValue, FormulaValue],
  join: number,
  fillsWithZeros: boolean,
  context: CallContext,
): Timeline | CellError {
  const byTime = joined(values, times, context);
  if (byTime instanceof CellError) return byTime;
  const instants = [...byTime.keys()].sort((a, b) => a - b);
  if (instants.length < 2) return NA_ERROR;
  const scale = evenScale(instants, (time) => time) ?? monthScale(instants, context);
  if (!scale) return NUM_ERROR;
  const count = Math.round(scale.stepsTo(instants.at(-1)!)) + 1;
  if (count - instants.length > count * MAX_MISSING_SHARE) return NUM_ERROR;
  const points = new Float64Array(count).fill(fillsWithZeros ? 0 : Number.NaN);
  for (const instant of instants) points[Math.round(scale.stepsTo(instant))] = JOINS[join - 1]!(byTime.get(instant)!);
  if (!fillsWithZeros) bridge(points);
  return { ...scale, values: points };
}

/** Groups the values by time. */
function joined(values: FormulaValue, times: FormulaValue, context: CallContext): Map<number, number[]> | CellError {
  const [y, x] = [arrayOf(values, context), arrayOf(times, context)];
  if (y instanceof CellError) return y;
  if (x instanceof CellError) return x;
  if (y.cells.length !== x.cells.length) return NA_ERROR;
  const byTime = new Map<number, number[]>();
  for (const [index, time] of x.cells.entries()) {
    const value = y.cells[index]!;
    if (time instanceof CellError) return time;
    if (value instanceof CellError) return value;
    // A point without a value counts as missing.
    if (time === null || value === null) continue;
    if (typeof time !== 'number' || typeof value !== 'number') return VALUE_ERROR;
    const known = byTime.get(time);
    if (known) known.push(value);
    else byTime.set(time, [value]);
  }
  return byTime;
}

type Scale = Pick<Timeline, 'step' | 'stepsTo'>;

/** Returns a scale if all points are multiples of the shortest distance apart; null otherwise. */
function evenScale(instants: readonly number[], positionOf: (time: number) => number): Scale | null {
  const positions = instants.map(positionOf);
  const first = positions[0]!;
  let step = Infinity;
  for (let index = 1; index < positions.length; index += 1)
    step = Math.min(step, positions[index]! - positions[index - 1]!);
  const stepsTo = (time: number): number => (positionOf(time) - first) / step;
  const isEven = instants.every((time) => Math.abs(stepsTo(time) - Math.round(stepsTo(time))) <= TOLERANCE);
  return isEven ? { step, stepsTo } : null;
}

/** Returns a scale in months if all points are the same day of a month, or the last day; null otherwise. */
function monthScale(instants: readonly number[], context: CallContext): Scale | null {
  if (instants.some((time) => typeof dayOf(time, context) !== 'number' || !Number.isInteger(time))) return null;
  const days = instants.map((time) => calendarDay(dayOf(time, context) as number));
  const isLast = days.every(({ year, month, day }) => day === monthLength(year, month));
  if (!isLast && days.some(({ day }) => day !== days[0]!.day)) return null;
  return evenScale(instants, (time) => {
    const serial = dayOf(time, context);
    if (typeof serial !== 'number') return Number.NaN;
    const { year, month, day } = calendarDay(serial);
    const length = monthLength(year, month);
    return year * 12 + month + (day - (isLast ? length : days[0]!.day) + (time - Math.floor(time))) / length;
  });
}

/** Fills gaps by linear interpolation. */
function bridge(points: Float64Array): void {
  for (let index = 1; index < points.length; index += 1) {
    if (!Number.isNaN(points[index]!)) continue;
    let next = index + 1;
    while (Number.isNaN(points[next]!)) next += 1;
    points[index] = points[index - 1]! + (points[next]! - points[index - 1]!) / (next - index + 1);
  }
}
