import { describe, expect, it } from 'vitest';
import { createRunsheetEngine } from '#server/calculation/runsheet-engine.ts';
import { buildModel, type TestCell } from '#server/calculation/testing/build-model.ts';
import { evaluate } from '#server/calculation/testing/evaluate.ts';

/** A season of four without any error, unordered, with some times twice and one missing. Excel saved the results. */
const POINTS = '{3,3,1,2,3,2,1,3,2,1},{3,7,5,6,7,8,1,3,4,9}';

/** Monthly airline passengers, 1949 to 1951: Box and Jenkins, 'Time Series Analysis', series G. */
const PASSENGERS = [
  112, 118, 132, 129, 121, 135, 148, 148, 136, 119, 104, 118, 115, 126, 141, 135, 125, 149, 170, 170, 158, 133, 114,
  140, 145, 150, 178, 163, 172, 178, 199, 199, 184, 162, 146, 166,
];
/** The first day of each month. */
const MONTHS = PASSENGERS.map((_, index) => Math.round(Date.UTC(1949, index, 1) / 86_400_000) + 25_569);
const SERIES = `{${PASSENGERS.join(',')}},{${MONTHS.join(',')}}`;

const numberOf = (formula: string): number => evaluate(formula) as number;

describe('FORECAST.ETS', () => {
  it.each<[string, number | string]>([
    ['FORECAST.ETS(10,#,4)', 2],
    ['FORECAST.ETS(0.1,#,4,1,4)', 0.1],
    ['FORECAST.ETS(0.7,#,4,1)', 0.7],
    ['FORECAST.ETS(100,#,4,1)', 2],
    ['FORECAST.ETS(-1,#,4,1)', '#NUM!'],
    ['FORECAST.ETS(0,#,4,1)', '#NUM!'],
    ['FORECAST.ETS(60,#,4,1)', 2],
    ['FORECAST.ETS(TRUE,#,4,1)', 1],
    ['FORECAST.ETS("x",#,4,1)', '#VALUE!'],
    ['FORECAST.ETS(NA(),#,4,1)', '#N/A'],
    ['FORECAST.ETS.CONFINT(50,#,10,4,1,)', '#NUM!'],
    ['FORECAST.ETS.CONFINT(50,#,0.1,4,1,)', 0],
    ['FORECAST.ETS.CONFINT(50,#,-1,4,1,)', '#NUM!'],
    ['FORECAST.ETS.CONFINT(50,#,TRUE,4,1,)', '#NUM!'],
    ['FORECAST.ETS.SEASONALITY(#,1)', 0],
    ['FORECAST.ETS.SEASONALITY(#,0)', 0],
    ['FORECAST.ETS.SEASONALITY(#,2)', '#NUM!'],
    ['FORECAST.ETS.SEASONALITY(#,-1)', '#NUM!'],
    ...[4, 5, 6, 7].map((kind) => [`FORECAST.ETS.STAT(#,${kind},4,1,)`, 0] as [string, number]),
    ['FORECAST.ETS.STAT(#,8,4,1,)', 1],
    ['FORECAST.ETS.STAT(#,-1,4,1,)', '#NUM!'],
    ['FORECAST.ETS.STAT(#,0,4,1,)', '#NUM!'],
    ['FORECAST.ETS.STAT(#,9,4,1,)', '#NUM!'],
    // Times at uneven distances, too few points, too many missing ones, sizes that do not match.
    ['FORECAST.ETS(9,{1,2,3},{1,2,4.5})', '#NUM!'],
    ['FORECAST.ETS(9,{1},{1})', '#N/A'],
    ['FORECAST.ETS(9,{1,2,3},{1,2,9})', '#NUM!'],
    ['FORECAST.ETS(9,{1,2,3},{1,2})', '#N/A'],
    ['FORECAST.ETS(9,{1,2,3},{1,2,3},8761)', '#NUM!'],
    ['FORECAST.ETS(9,{1,2,3},{1,2,3},0,1,8)', '#NUM!'],
  ])('%s', (formula, expected) => {
    const result = evaluate(`=${formula.replace('#', POINTS)}`);
    if (typeof expected === 'number') expect(result).toBeCloseTo(expected, 12);
    else expect(result).toBe(expected);
  });

  it.each([
    ['a line goes on', 'FORECAST.ETS(7,{2,4,6,8,10},{1,2,3,4,5})', 14],
    ['a gap is bridged', 'FORECAST.ETS(7,{2,4,8,10},{1,2,4,5})', 14],
    ['the values of one time are averaged', 'FORECAST.ETS(7,{2,3,5,6,8,10},{1,2,2,3,4,5})', 14],
    ['or added', 'FORECAST.ETS(7,{2,1,3,6,8,10},{1,2,2,3,4,5},0,1,7)', 14],
    ['or counted', 'FORECAST.ETS(4,{5,7,7,9,9,9},{1,2,2,3,3,3},0,1,2)', 4],
    ['the largest', 'FORECAST.ETS(4,{1,2,0,3,1},{1,2,2,3,3},0,1,4)', 4],
    ['the one in the middle', 'FORECAST.ETS(4,{1,2,0,9,3},{1,2,2,2,3},0,1,5)', 4],
    ['the smallest', 'FORECAST.ETS(4,{1,2,7,3,8},{1,2,2,3,3},0,1,6)', 4],
    ['months are even steps', 'FORECAST.ETS(DATE(2024,6,1),{1,2,3,4},DATE(2024,{1,2,3,4},1))', 6],
    ['so are their last days', 'FORECAST.ETS(DATE(2024,6,30),{1,2,3,4},EOMONTH(DATE(2024,{1,2,3,4},1)+0,0))', 6],
  ])('%s', (_, formula, expected) => expect(numberOf(`=${formula}`)).toBeCloseTo(expected, 9));

  it('finds the year in months, and forecasts the next one near what came', () => {
    expect(numberOf(`=FORECAST.ETS.SEASONALITY(${SERIES})`)).toBe(12);
    const came = [171, 180, 193, 181, 183, 218, 230, 242, 209, 191, 172, 194];
    for (const [month, passengers] of came.entries()) {
      const forecast = numberOf(`=FORECAST.ETS(DATE(1952,${month + 1},1),${SERIES})`);
      expect(Math.abs(forecast / passengers - 1)).toBeLessThan(0.12);
    }
    for (const kind of [1, 2, 3]) {
      const parameter = numberOf(`=FORECAST.ETS.STAT(${SERIES},${kind})`);
      expect(parameter).toBeGreaterThanOrEqual(0);
      expect(parameter).toBeLessThanOrEqual(1);
    }
    // The fit with a season is better than without.
    const error = (season: number): number => numberOf(`=FORECAST.ETS.STAT(${SERIES},7,${season})`);
    expect(error(12)).toBeLessThan(error(0) / 1.5);
  });

  it('finds no season in two of them, nor in what drifts', () => {
    const seasonOf = (values: number[]): number =>
      numberOf(`=FORECAST.ETS.SEASONALITY({${values.join(',')}},{${values.map((_, index) => index + 1).join(',')}})`);
    expect(seasonOf(PASSENGERS.slice(0, 24))).toBe(0);
    expect(seasonOf(Array.from({ length: 60 }, (_, index) => Math.round(100 * Math.sin(index / 30))))).toBe(0);
    expect(seasonOf(Array.from({ length: 30 }, (_, index) => index + [0, 9, 4, 2, 7][index % 5]!))).toBe(5);
  });

  it('is less certain the further it looks, and the more certain it must be', () => {
    const half = (month: number, level = 0.95): number =>
      numberOf(`=FORECAST.ETS.CONFINT(DATE(1952,${month},1),${SERIES},${level})`);
    expect(half(6)).toBeGreaterThan(half(1));
    expect(half(1, 0.99)).toBeGreaterThan(half(1));
    expect(evaluate(`=FORECAST.ETS.CONFINT(DATE(1950,1,1),${SERIES})`)).toBe('#NUM!');
    // The error grows by the parameters themselves, and once per season also by gamma, as in intervals saved by Excel.
    const [alpha, beta, gamma] = [1, 2, 3].map((kind) => numberOf(`=FORECAST.ETS.STAT(${SERIES},${kind})`));
    for (const step of [1, 2, 11, 12, 13]) {
      const growth = (half(step + 1) ** 2 - half(step) ** 2) / half(1) ** 2;
      expect(Math.sqrt(growth)).toBeCloseTo(alpha! + beta! * step + (step === 12 ? gamma! : 0), 9);
    }
  });

  it.each([12, 0])(
    'starts at the first point, and states its errors in the last fifth, with a season of %s',
    (season) => {
      const fitted = MONTHS.map((month) => numberOf(`=FORECAST.ETS(${month},${SERIES},${season})`));
      expect(fitted[0]).toBeCloseTo(PASSENGERS[0]!, 9);
      const statistic = (kind: number): number => numberOf(`=FORECAST.ETS.STAT(${SERIES},${kind},${season})`);
      const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
      const last = PASSENGERS.slice(-8).map((value, index) => ({ value, forecast: fitted[28 + index]! }));
      const errors = last.map(({ value, forecast }) => Math.abs(value - forecast));
      const steps = PASSENGERS.slice(1, 28).map((value, index) => Math.abs(value - PASSENGERS[index]!));
      expect(statistic(4)).toBeCloseTo(mean(errors) / mean(steps), 9);
      expect(statistic(5)).toBeCloseTo(
        mean(last.map(({ value, forecast }, index) => (2 * errors[index]!) / (value + forecast))),
        9,
      );
      expect(statistic(6)).toBeCloseTo(mean(errors), 9);
      expect(statistic(7)).toBeCloseTo(Math.sqrt(mean(errors.map((error) => error * error))), 9);
      const all = PASSENGERS.map((value, index) => (value - fitted[index]!) ** 2);
      const half = numberOf(`=FORECAST.ETS.CONFINT(DATE(1952,1,1),${SERIES},0.95,${season})`);
      expect(half / 1.959963984540054).toBeCloseTo(Math.sqrt(mean(all)), 9);
    },
  );

  it('follows its points, which many formulas ask for with the same and with other options', () => {
    const cells: Record<string, TestCell> = {};
    for (let row = 1; row <= 60; row += 1) Object.assign(cells, { [`A${row}`]: row, [`B${row}`]: 2 * row + (row % 2) });
    const formula = (steps: number, season: number): string => `=FORECAST.ETS(${60 + steps},B1:B60,A1:A60,${season})`;
    Object.assign(cells, { C1: formula(2, 2), C2: formula(4, 2), C3: formula(6, 2), C4: formula(2, 0) });
    const model = createRunsheetEngine().load(buildModel({ sheets: { Sheet1: cells } }));
    const read = (): number[] => [0, 1, 2, 3].map((row) => model.value(0, row, 2) as number);
    const expectNear = (expected: number[]): void =>
      expected.forEach((value, row) => expect(read()[row]).toBeCloseTo(value, 6));
    model.recalculate();
    expectNear([124, 128, 132]);
    expect(Math.abs(read()[3]! - 124.5)).toBeLessThan(0.4);
    model.setCells(Array.from({ length: 60 }, (_, row) => ({ sheet: 0, row, col: 1, value: 3 * row + 3 })));
    model.recalculate();
    expectNear([186, 192, 198, 186]);
  });
});
