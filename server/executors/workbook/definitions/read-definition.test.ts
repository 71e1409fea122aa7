import { describe, expect, it } from 'vitest';
import { defined, read } from '#test/support/read-definitions.ts';

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
    const { faults } = await read({
      sheets: [{ name: 'S', cells: { A1: 1 } }],
      names: [
        { name: 'out_A', text: 'S!$A$1' },
        { name: 'in_B', text: '#REF!', hidden: true },
      ],
    });
    expect(faults).toEqual([]);
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
