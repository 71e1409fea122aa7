/**
 * FORECAST.ETS and related functions. Source: Microsoft's function reference. Details it does not specify (targets
 * within the timeline, limits of arguments) follow values saved by Excel.
 */
import { CellError } from '#server/calculation/values/cell-value.ts';
import { checkNumber, NUM_ERROR } from '#server/calculation/values/coerce.ts';
import type { FormulaValue } from '#server/calculation/values/matrix.ts';
import { defineFunction, type CallContext, type FunctionDefinition } from '../function.ts';
import { cachedForTwoRanges } from '../two-range-cache.ts';
import { numberOf } from '../numeric.ts';
import { normalInverse } from './erf.ts';
import { findSeason, forecast, growthOfError, RUNS, smooth, type Smoothing } from './exponential-smoothing.ts';
import { timelineOf, type Timeline } from './timeline.ts';

/** Maximum number of points in a season: the hours of a year. */
const MAX_SEASON = 8760;

interface Options {
  /** 1: detect the season. */
  season: number;
  fillsWithZeros: boolean;
  join: number;
}

function optionsOf(season: FormulaValue, completion: FormulaValue, aggregation: FormulaValue): Options | CellError {
  const numbers: number[] = [];
  for (const argument of [season, completion, aggregation]) {
    const number = numberOf(argument, 1);
    if (typeof number !== 'number') return number;
    numbers.push(Math.trunc(number));
  }
  const [length, fill, join] = numbers as [number, number, number];
  if (length < 0 || length > MAX_SEASON || fill < 0 || fill > 1 || join < 1 || join > 7) return NUM_ERROR;
  return { season: length, fillsWithZeros: fill === 0, join };
}

function seasonOf({ values }: Timeline, context: CallContext): number {
  const maxSeason = Math.min(MAX_SEASON, values.length);
  context.spend(values.length * maxSeason);
  return findSeason(values, maxSeason);
}

interface Model {
  timeline: Timeline;
  smoothing: Smoothing;
}

/** Builds the model, cached because a forecast sheet requests it three times in every row. */
function modelOf(
  points: readonly [FormulaValue, FormulaValue],
  options: readonly FormulaValue[],
  context: CallContext,
): Model | CellError {
  const chosen = optionsOf(options[0], options[1], options[2]);
  if (chosen instanceof CellError) return chosen;
  const { season, fillsWithZeros, join } = chosen;
  const key = `smoothing ${season} ${fillsWithZeros} ${join}`;
  return cachedForTwoRanges<Model | CellError>(points[0], points[1], key, context, () => fit(points, chosen, context));
}

function fit(points: readonly [FormulaValue, FormulaValue], chosen: Options, context: CallContext): Model | CellError {
  const timeline = timelineOf(points, chosen.join, chosen.fillsWithZeros, context);
  if (timeline instanceof CellError) return timeline;
  const season = chosen.season === 1 ? seasonOf(timeline, context) : chosen.season;
  if (season > 1 && timeline.values.length < 2 * season) return NUM_ERROR;
  context.spend(timeline.values.length * RUNS);
  return { timeline, smoothing: smooth(timeline.values, Math.max(1, season)) };
}

/**
 * Returns a forecast after the last point; before it, the value that was forecast for that point from the points
 * before.
 */
function predict([target, values, times, ...options]: FormulaValue[], context: CallContext): FormulaValue {
  const time = numberOf(target);
  if (typeof time !== 'number') return time;
  const model = modelOf([values, times], options, context);
  if (model instanceof CellError) return model;
  const step = model.timeline.stepsTo(time);
  if (!(step > -1)) return NUM_ERROR;
  const { smoothing } = model;
  const { fitted } = smoothing;
  const at = (index: number): number =>
    index < fitted.length ? fitted[index]! : forecast(smoothing, index - fitted.length + 1);
  const whole = Math.trunc(step);
  const rest = step - whole;
  return checkNumber(rest === 0 ? at(whole) : at(whole) + rest * (at(whole + 1) - at(whole)));
}

/** Returns half the width of the confidence interval of a forecast. */
function confidence([target, values, times, level, ...options]: FormulaValue[], context: CallContext): FormulaValue {
  const time = numberOf(target);
  if (typeof time !== 'number') return time;
  const certainty = numberOf(level, 0.95);
  if (typeof certainty !== 'number') return certainty;
  if (certainty < 0 || certainty >= 1) return NUM_ERROR;
  const model = modelOf([values, times], options, context);
  if (model instanceof CellError) return model;
  const { smoothing, timeline } = model;
  const steps = timeline.stepsTo(time) - timeline.values.length + 1;
  if (!(steps > 0)) return NUM_ERROR;
  const whole = Math.ceil(steps);
  context.spend(whole);
  return checkNumber(normalInverse((1 + certainty) / 2) * smoothing.error * growthOfError(smoothing, whole));
}

function season([values, times, completion, aggregation]: FormulaValue[], context: CallContext): FormulaValue {
  const options = optionsOf(1, completion, aggregation);
  if (options instanceof CellError) return options;
  const timeline = timelineOf([values, times], options.join, options.fillsWithZeros, context);
  return timeline instanceof CellError ? timeline : seasonOf(timeline, context);
}

const meanOf = (values: Float64Array, of: (value: number, index: number) => number): number =>
  values.reduce((sum, value, index) => sum + of(value, index), 0) / values.length;

/**
 * Returns the errors of the last fifth of the points, for which Excel reports its errors. Each is the error of the
 * forecast from the points before.
 */
function lastFifth({ timeline: { values }, smoothing: { fitted } }: Model): { before: number; error: Float64Array } {
  const before = values.length - Math.ceil(values.length / 5);
  return { before, error: values.slice(before).map((value, index) => value - fitted[before + index]!) };
}

const meanError = (model: Model): number => meanOf(lastFifth(model).error, Math.abs);

/**
 * Results of FORECAST.ETS.STAT, by number from 1. The points and the scale of the errors follow values saved by Excel.
 */
const STATISTICS: readonly ((model: Model) => number)[] = [
  ({ smoothing }) => smoothing.alpha,
  ({ smoothing }) => smoothing.beta,
  ({ smoothing }) => smoothing.gamma,
  // Scaled by the error of the naive forecast, which uses each point as forecast of the next one.
  (model) => {
    const { values } = model.timeline;
    const error = meanError(model);
    const steps = values.slice(1, lastFifth(model).before);
    return error === 0 ? 0 : error / meanOf(steps, (value, index) => Math.abs(value - values[index]!));
  },
  (model) => {
    const { before, error } = lastFifth(model);
    const { values } = model.timeline;
    return meanOf(error, (own, index) => {
      const value = values[before + index]!;
      return own === 0 ? 0 : (2 * Math.abs(own)) / (Math.abs(value) + Math.abs(value - own));
    });
  },
  meanError,
  (model) => Math.sqrt(meanOf(lastFifth(model).error, (own) => own * own)),
  ({ timeline }) => timeline.step,
];

function statistic([values, times, kind, ...options]: FormulaValue[], context: CallContext): FormulaValue {
  const number = numberOf(kind);
  if (typeof number !== 'number') return number;
  const measure = STATISTICS[Math.trunc(number) - 1];
  if (!measure) return NUM_ERROR;
  const model = modelOf([values, times], options, context);
  return model instanceof CellError ? model : checkNumber(measure(model));
}

export const smoothingFunctions: FunctionDefinition[] = [
  defineFunction('FORECAST.ETS', 'vaavvv', predict, { required: 3 }),
  defineFunction('FORECAST.ETS.CONFINT', 'vaavvvv', confidence, { required: 3 }),
  defineFunction('FORECAST.ETS.SEASONALITY', 'aavv', season, { required: 2 }),
  defineFunction('FORECAST.ETS.STAT', 'aavvvv', statistic, { required: 3 }),
];
