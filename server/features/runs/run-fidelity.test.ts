import { expect } from 'vitest';
import { test as it } from '#test/support/fixtures/step-portal.ts';
import type { WorkbookSpec } from '#test/support/build-workbook.ts';

const TWICE: WorkbookSpec = {
  sheets: [{ name: 'S', cells: { A1: 2, B1: { formula: 'A1*2', value: 4 }, C1: { formula: 'A1+1', value: 7 } } }],
  names: { in_Amount: 'S!$A$1', out_Twice: 'S!$B$1' },
};

it('a run says how its version agrees with the values that Excel saved', async ({ portal }) => {
  const id = await portal.publish(TWICE, 'Twice');
  const run = await portal.ended(await portal.start(id as number, { Amount: 20 }));
  const Fidelity = { Formulas: 2, Different: 1, DifferentFeedingOutputs: 0, NotCompared: 0 };
  expect(run).toMatchObject({ Status: 'Succeeded', Outputs: [{ Value: '40' }], Fidelity });
});
