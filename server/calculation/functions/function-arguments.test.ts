import { describe, expect, it } from 'vitest';
import { createRunsheetEngine } from '../runsheet-engine.ts';
import { buildModel } from '../testing/build-model.ts';
import type { TestCell } from '../testing/build-model.ts';
import { evaluate } from '../testing/evaluate.ts';
import { findFunction, functionNames } from './registry.ts';

const NAMES = [...functionNames().filter((name) => findFunction(name)), '_LONGTEXT', '_TRO_ALL'];

/** Calls every function with a function name in place of each of its arguments. */
const CALLS = NAMES.flatMap((name) => {
  const { parameters } = findFunction(name)!;
  return parameters.flatMap((__, at) => {
    const args = parameters.map((kind, index) =>
      index === at ? '_xleta.SUM' : kind === 'reference' ? 'A1:A3' : '"1"',
    );
    return [...new Set([at + 1, args.length])].map((count) => `=_xlfn.${name}(${args.slice(0, count).join(',')})`);
  });
});

describe.each([
  ['dynamic', 'dynamicArray'],
  ['old', 'normal'],
] as const)('in a formula of the %s kind', (_, kind) => {
  it('a function in place of any argument leaves the calculation going', () => {
    const cells: Record<string, TestCell> = { A1: 1, A2: 2 };
    for (const [at, formula] of CALLS.entries()) cells[`D${at + 1}`] = { formula, kind };
    const model = createRunsheetEngine().load(buildModel({ sheets: { S: cells } }));
    model.recalculate();
    const last = CALLS.length - 1;
    const values = model.values(0, { top: 0, left: 3, bottom: last, right: 3 }).flat();
    expect(values.findIndex((value) => value === null)).toBe(-1);
  });

  it.each([
    ['ISERROR(_xleta.UNICODE)', false],
    ['ISNONTEXT(_xleta.SUM)', true],
    ['TYPE(_xleta.XLOOKUP)', 128],
    ['CHOOSE(1,_xleta.SUM,_xleta.ABS)(5)', 5],
    ['IF(TRUE,_xleta.ABS,_xleta.SUM)(-3)', 3],
    ['_xleta.SUM', '#CALC!'],
    ['_xleta.SUM+1', '#VALUE!'],
    ['LEN(_xleta.SUM)', '#VALUE!'],
    ['AND(_xleta.SUM)', '#VALUE!'],
  ])('%s is %s', (formula, expected) => {
    expect(evaluate(`=${formula}`, {}, { isOld: kind === 'normal' })).toBe(expected);
  });
});
