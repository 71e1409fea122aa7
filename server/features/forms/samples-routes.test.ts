/** Tests sample files of inputs, created from real workbooks. */
import excelJs from 'exceljs';
import { describe, expect } from 'vitest';
import type { SheetSpec, WorkbookSpec } from '#test/support/build-workbook.ts';
import { test as base } from '#test/support/fixtures/form-portal.ts';
import { inputOf, ORDER, portalTable } from '#test/support/form-portal.ts';

const DEALS: WorkbookSpec = {
  sheets: [
    {
      name: 'S',
      cells: {
        A1: 'Deal',
        B1: 'Amount',
        C1: 'Tax',
        A2: '=cmd',
        B2: -5,
        C2: { formula: 'B2*0.2', value: -1 },
        E1: 'Day',
        F1: 'Payer',
        E2: { value: 46000, style: 1 },
        F2: 'Someone',
        H1: 'x',
      },
      tables: [
        { name: 'Deals', ref: 'A1:C2', columns: ['Deal', 'Amount', { name: 'Tax', formula: 'B2*0.2' }] },
        { name: 'Payments', ref: 'E1:F2', columns: ['Day', 'Payer'] },
      ],
    },
    portalTable('PortalInputs', [
      ['Name', 'SampleFile'],
      ['Bank File', 'bank.csv'],
    ]),
    {
      ...portalTable('PortalSteps', [
        ['Action', 'Input', 'Table', 'DateFormat', 'Delimiter'],
        ['Import', 'Bank File', 'Payments', 'dd/mm/yyyy', ';'],
      ]),
      name: 'Steps',
    },
  ],
  names: { in_Deals: 'Deals', in_Bank_File: 'S!$H$1', out_Day: 'S!$E$2' },
  formats: ['dd/mm/yyyy'],
};

/** Places all tables of the Portal sheet on one sheet. */
function oneSheet(spec: WorkbookSpec): WorkbookSpec {
  const [first, inputs, steps] = spec.sheets as [SheetSpec, SheetSpec, SheetSpec];
  const cells = { ...inputs.cells };
  for (const [at, cell] of Object.entries(steps.cells!)) {
    cells[`${at[0]}${Number(at.slice(1)) + 10}`] = cell;
  }
  const table = { ...steps.tables![0]!, ref: 'A11:E12' };
  return { ...spec, sheets: [first, { ...inputs, cells, tables: [...inputs.tables!, table] }] };
}

const test = base.extend(
  'sample',
  { scope: 'file' },
  ({ portal: { call, app } }) =>
    async (path: string): Promise<{ name: string; bytes: Buffer }> => {
      const { body } = await call('GET', `downloadsample/input/${path}`);
      const answer = await app.http.inject(`/api/activities/downloadsample/token/${body.result}`);
      expect(answer.statusCode).toBe(200);
      return { name: String(answer.headers['content-disposition']), bytes: answer.rawPayload };
    },
);

describe('a sample file', () => {
  test('of a file that a step imports has its columns and an example, as the step reads them', async ({
    portal: { publish },
    sample,
  }) => {
    const activity = await publish(oneSheet(DEALS), 'Samples');
    const input = inputOf(activity, 'Bank File');
    expect(input.Info.SampleFilePath).toBe('bank.csv');
    const { name, bytes } = await sample(String(input.Id));
    expect(name).toContain('filename="bank.csv"');
    expect(bytes.toString()).toBe('\uFEFFDay;Payer\n09/12/2025;Someone\n');
  });

  test('of a grid is a workbook with its columns, in which nothing becomes a formula', async ({
    portal: { publish },
    sample,
  }) => {
    const activity = await publish(oneSheet(DEALS), 'Grid');
    const input = inputOf(activity, 'Deals');
    const { name, bytes } = await sample(`${input.Id}`);
    expect(name).toContain('filename="Deals.xlsx"');
    const workbook = new excelJs.Workbook();
    await workbook.xlsx.load(bytes as never);
    const sheet = workbook.worksheets[0]!;
    expect([1, 2].map((row) => [1, 2, 3].map((col) => sheet.getCell(row, col).value))).toEqual([
      ['Deal', 'Amount', 'Tax'],
      ['=cmd', -5, null],
    ]);
    expect((await sample(`${input.Id}/2`)).bytes.toString()).toContain("'=cmd,-5,");
  });

  test('is offered where there is one alone', async ({ portal: { publish, call } }) => {
    const activity = await publish(ORDER, 'None');
    const answer = await call('GET', `downloadsample/input/${inputOf(activity, 'Quantity').Id}`);
    expect(answer).toMatchObject({ status: 404, body: { message: 'There is no sample file' } });
  });
});
