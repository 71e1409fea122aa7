/** Tests inputs whose cells do not declare a type, from the upload to the results. */
import { expect } from 'vitest';
import { test as it } from '#test/support/fixtures/step-portal.ts';
import type { WorkbookSpec } from '#test/support/build-workbook.ts';

const SUM: WorkbookSpec = {
  sheets: [{ name: 'S', cells: { C1: { formula: 'SUM(A1:A2)', value: 0 } } }],
  names: { in_First: 'S!$A$1', in_Second: 'S!$A$2', out_Sum: 'S!$C$1' },
};

it('two blank cells without a format that a formula sums take numbers, and are summed', async ({ portal }) => {
  const id = await portal.publish(SUM, 'Sum of blanks');
  const runId = await portal.start(id as number, { First: 20, Second: 3 });
  const run = await portal.ended(runId);
  expect(run).toMatchObject({ Status: 'Succeeded', Outputs: [{ Name: 'Sum', Value: '23' }] });
  const { body } = await portal.call('GET', `/api/activities/fidelity/${id as number}/1`);
  expect(body.result.Findings).toHaveLength(2);
  expect(body.result.Findings[0]).toEqual({
    Sheet: 'S',
    Cell: 'A1',
    Message: "The input 'First' is treated as a Number, because the formula in S!C1 uses it as a number (SUM).",
    Remedy: 'To choose it yourself, give its cells a number format, or enter CellUsages in PortalInputs.',
  });
});

const FORMATTED = { ...SUM, formats: ['@'] };
FORMATTED.sheets = [{ ...SUM.sheets[0]!, cells: { ...SUM.sheets[0]!.cells, A1: { value: null, style: 1 } } }];

it('a number entered into a cell for texts that a formula sums warns', async ({ portal }) => {
  const run = await portal.run(FORMATTED, 'Sum of a text', { First: '20', Second: 3 });
  expect(run).toMatchObject({ Status: 'SucceededWarn', Outputs: [{ Name: 'Sum', Value: '3' }] });
  const warnings = run.LogEntries.filter(({ Category }) => Category === 2);
  expect(warnings).toHaveLength(1);
  expect(warnings[0]).toMatchObject({ StatusCode: 1001 });
  expect(warnings[0]!.Message).toContain(
    "Input 'First': '20' was entered as a text and not as a number, and the formula in S!C1 calculates with it (SUM).",
  );
});

it('a text entered there, or a number in texts that nothing calculates with, does not', async ({ portal }) => {
  const words = await portal.run(FORMATTED, 'Sum of words', { First: 'none', Second: 3 });
  expect(words.Status).toBe('Succeeded');
  const spec: WorkbookSpec = {
    sheets: [{ name: 'S', cells: { A1: { value: null, style: 1 }, C1: { formula: '"No. "&A1', value: 'No. ' } } }],
    names: { in_Order: 'S!$A$1', out_Title: 'S!$C$1' },
    formats: ['@'],
  };
  const numbered = await portal.run(spec, 'Order number', { Order: '4711' });
  expect(numbered).toMatchObject({ Status: 'Succeeded', Outputs: [{ Value: '"No. 4711"' }] });
});

it('a file without saved values has numbers and days as outputs, and inputs of what formulas do with them', async ({
  portal,
}) => {
  const spec: WorkbookSpec = {
    sheets: [{ name: 'S', cells: { C1: { formula: 'A1*2' }, C2: { formula: 'EDATE(A2,1)' } } }],
    names: { in_Amount: 'S!$A$1', in_From: 'S!$A$2', out_Double: 'S!$C$1', out_Due: 'S!$C$2' },
  };
  const id = await portal.publish(spec, 'Made by a library');
  const runId = await portal.start(id as number, { Amount: 21, From: 46022 });
  const run = await portal.ended(runId);
  expect(run.Status).toBe('Succeeded');
  expect(run.Outputs.map(({ Value, Info }) => [Value, Info.CellUsages])).toEqual([
    ['42', ['Number']],
    ['46053', ['Date']],
  ]);
});
