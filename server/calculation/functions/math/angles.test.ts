import { describe, expect, it } from 'vitest';
import { evaluate } from '#server/calculation/testing/evaluate.ts';

describe('Near zeros and poles, angles are calculated with pi as long as Excel has it', () => {
  it.each([
    ['=SIN(PI())', 1.22514845490862e-16],
    ['=COS(PI()/2)', 6.1257422745431e-17],
    ['=TAN(PI()/2)', 16324552277619072],
    ['=TAN(-3*PI()/2)', -5441517425873024],
    ['=TAN(PI())', -1.22514845490862e-16],
    ['=COS(3*PI()/2)', -1.83772268236293e-16],
    ['=SIN(-PI())', -1.22514845490862e-16],
    ['=1/SIN(PI()-1E-12)', 999788629259.2037],
  ])('%s is %s', (formula, expected) => {
    const result = evaluate(formula) as number;
    expect(Math.abs(result / expected - 1)).toBeLessThan(1e-13);
  });

  it.each([
    ['=SIN(1)', Math.sin(1)],
    ['=COS(100)', Math.cos(100)],
    ['=TAN(0.00001)', Math.tan(0.00001)],
    ['=SIN(1E-300)', 1e-300],
    ['=COS(PI())', -1],
    ['=SIN(PI()/2)', 1],
    ['=SIN(134217728)', '#NUM!'],
  ])('%s is %s', (formula, expected) => expect(evaluate(formula)).toEqual(expected));

  it('far from 0 as well', () => {
    for (const turns of [10, 1_000, 1_000_000, 40_000_000]) {
      const angle = turns * Math.PI + 1e-6;
      expect(evaluate(`=SIN(${angle})`)).toBeCloseTo(Math.sin(angle), 10);
    }
  });
});
