import { expect, test } from 'vitest';
import { CalculationError } from '#server/calculation/engine.ts';
import { buildWorkbook } from '#test/support/build-workbook.ts';
import { createEngines } from '../engines.ts';
import type { Engines } from '../engines.ts';
import { designResult } from './design-tasks.ts';

test('a workbook that is too much for the engine is refused with the reason, and its thread is not used again', async () => {
  // A formula without a saved value must be calculated.
  const bytes = await buildWorkbook({ sheets: [{ name: 'S', cells: { A1: 1, B1: { formula: 'A1*2' } } }] });
  const limited: Engines = createEngines(null);
  const engine = limited.named('runsheet');
  const load = (): never => {
    throw new CalculationError('limit', 'It needs too much memory');
  };
  let broken = 0;
  const result = await designResult(
    { kind: 'openDesign', fileName: 'Book.xlsx', hasLastVersion: false, region: {} },
    {
      want: async () => bytes,
      engines: { ...limited, named: () => ({ ...engine, load }) },
      onBroken: () => (broken += 1),
    },
  );
  expect(result).toMatchObject({
    refusedBecause: { Message: expect.stringContaining('It needs too much memory'), Remedy: expect.any(String) },
  });
  expect(broken).toBe(1);
});
