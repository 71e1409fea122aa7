import { describe, expect, it } from 'vitest';
import type { SheetSpec } from '#test/support/build-workbook.ts';
import { defined, read, withPortal } from '#test/support/read-definitions.ts';

describe('a defined name', () => {
  it.each([
    ['in_Start_Date', 'inputs', 'Start Date'],
    ['Xinput_Start_Date', 'inputs', 'Start Date'],
    ['IN_Rate', 'inputs', 'Rate'],
    ['out_Total', 'outputs', 'Total'],
    ['Xoutput_Total__Cost', 'outputs', 'Total Cost'],
  ] as const)('%s becomes one of the %s, %s', async (name, list, expected) => {
    const definition = await defined({ sheets: [{ name: 'S', cells: { A1: 1 } }], names: { [name]: 'S!$A$1' } });
    expect(definition[list].map(({ Name }) => Name)).toEqual([expected]);
    expect(definition[list === 'inputs' ? 'outputs' : 'inputs']).toEqual([]);
  });

  it('that is hidden declares nothing', async () => {
    const { problems } = await read({
      sheets: [{ name: 'S', cells: { A1: 1 } }],
      names: [
        { name: 'out_A', text: 'S!$A$1' },
        { name: 'in_B', text: '#REF!', hidden: true },
      ],
    });
    expect(problems).toEqual([]);
  });

  it('stands in the order of the workbook: by sheet, row and column', async () => {
    const { inputs } = await defined({
      sheets: [
        { name: 'S', cells: { B2: 1, A3: 2 } },
        { name: 'R', cells: { A1: 3 } },
      ],
      names: { in_A: 'R!$A$1', in_B: 'S!$A$3', in_C: 'S!$B$2' },
    });
    expect(inputs.map(({ Name }) => Name)).toEqual(['C', 'B', 'A']);
  });

  it.each([
    ['through another name', { in_X: 'There', There: 'S!$B$2' }, { top: 1, left: 1, bottom: 1, right: 1 }],
    ['with a quoted sheet', { in_X: "'S'!$B$2" }, { top: 1, left: 1, bottom: 1, right: 1 }],
    ['with the sheet twice', { in_X: 'S!$A$1:S!$A$2' }, { top: 0, left: 0, bottom: 1, right: 0 }],
  ])('is followed %s', async (_, names, block) => {
    const { inputs } = await defined({ sheets: [{ name: 'S', cells: { A1: 1, B2: 2 } }], names });
    expect(inputs[0]!.location).toEqual({ sheet: 0, block });
  });
});

describe('a table whose own name begins so', () => {
  const table = (name: string): SheetSpec => ({
    name: 'S',
    cells: { B2: 'Item', C2: 'Amount', B3: 'Pen', C3: 2 },
    tables: [{ name, ref: 'B2:C3', columns: ['Item', 'Amount'] }],
  });

  it.each([
    ['in_Open_Deals', 'inputs'],
    ['Xoutput_Open_Deals', 'outputs'],
  ] as const)('%s is one of the %s, with its columns', async (name, list) => {
    const definition = await defined({ sheets: [table(name)], names: {} });
    expect(definition[list]).toMatchObject([
      { Name: 'Open Deals', Info: { RangeType: 'RangeWithColumnHeaders', ColumnHeaderValues: ['Item', 'Amount'] } },
    ]);
    expect(definition[list === 'inputs' ? 'outputs' : 'inputs']).toEqual([]);
  });

  it('is one input where a defined name or the Portal sheet speaks of it as well', async () => {
    const { inputs } = await defined({ sheets: [table('in_Deals')], names: { in_Orders: 'in_Deals' } });
    expect(inputs.map(({ Name }) => Name)).toEqual(['Orders']);
    const spec = withPortal(table('in_Deals'), 'PortalInputs', [
      ['Name', 'Description'],
      ['Deals', 'All of them'],
    ]);
    expect((await defined(spec)).inputs).toMatchObject([{ Name: 'Deals', Description: 'All of them' }]);
  });
});
