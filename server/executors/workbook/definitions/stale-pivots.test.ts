import { describe, expect, it } from 'vitest';
import { withParts } from '#test/support/add-parts.ts';
import type { CellSpec, WorkbookSpec } from '#test/support/build-workbook.ts';
import { portal, read } from '#test/support/read-definitions.ts';

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const cache = (source: string): string =>
  `<pivotCacheDefinition xmlns="${MAIN}"><cacheSource type="worksheet">${source}</cacheSource><cacheFields count="1">` +
  '<cacheField name="Amount"><sharedItems/></cacheField></cacheFields></pivotCacheDefinition>';
const PIVOT = `<pivotTableDefinition xmlns="${MAIN}" name="Sales by region" cacheId="1"><location ref="A3:B5" firstHeaderRow="1" firstDataRow="1" firstDataCol="1"/></pivotTableDefinition>`;

const DATA: Record<string, CellSpec> = {
  A1: 'Region',
  B1: 'Amount',
  A2: 'East',
  B2: { formula: 'Inputs!A1*2', value: 20 },
  A3: 'West',
  B3: 5,
};
const SHOWN: Record<string, CellSpec> = {
  A3: 'Region',
  B3: 'Sum of Amount',
  A4: 'East',
  B4: 20,
  A5: 'Total',
  B5: 25,
  D1: { formula: 'B5*2', value: 50 },
  D2: { formula: 'D1+1', value: 51 },
  D3: { formula: 'GETPIVOTDATA("Amount",$A$3)', value: 25 },
  D4: { formula: 'OFFSET(D1,4,-2)', value: 25 },
  D5: { formula: 'Inputs!A1', value: 10 },
};

interface Changes {
  source?: string;
  names: Record<string, string>;
  steps?: CellSpec[][];
}

async function problemsOf({
  source = '<worksheetSource ref="A1:B3" sheet="Data"/>',
  names,
  steps,
}: Changes): Promise<Awaited<ReturnType<typeof read>>['problems']> {
  const spec: WorkbookSpec = {
    sheets: [
      { name: 'Inputs', cells: { A1: 10, A2: 'x', B2: 'y', A3: 1, B3: 2 }, tables: [] },
      { name: 'Data', cells: DATA, tables: [{ name: 'Sales', ref: 'A1:B3', columns: ['Region', 'Amount'] }] },
      { name: 'Report', cells: SHOWN },
      ...(steps ? [{ name: 'Portal', ...portal('PortalSteps', steps) }] : []),
    ],
    names: { Recent: 'OFFSET(Data!$A$1,0,0,3,2)', Elsewhere: 'OFFSET(Inputs!$A$2,0,0,2,2)', ...names },
  };
  const parts = withParts(spec, {
    sheets: { 2: { pivots: [{ xml: PIVOT, cache: 0 }] } },
    pivotCaches: [cache(source)],
  });
  return (await read({ ...spec, parts })).problems;
}

const IN = { in_Amount: 'Inputs!$A$1' };

describe('a result of a pivot table whose source a run changes', () => {
  it('is refused with its cell, the pivot table and the input', async () => {
    expect(await problemsOf({ names: { ...IN, out_Total: 'Report!$B$5' } })).toEqual([
      {
        Sheet: 'Report',
        Cell: 'B5',
        Message:
          "The output 'Total' reads Report!B5, a cell of the pivot table 'Sales by region', whose source (Data!A1:B3) depends on " +
          "the input 'Amount'. A run doesn't refresh pivot tables, so the result would stay as it was saved.",
        Remedy:
          'Calculate the result with formulas over the source, such as SUMIFS or GROUPBY, and read it from their cells.',
      },
    ]);
  });

  it.each([
    ['through formulas', 'Report!$D$2', 'B5'],
    ['through GETPIVOTDATA', 'Report!$D$3', 'A3'],
    ['through a reference that is calculated', 'Report!$D$4', 'B5'],
    ['as part of a block', 'Report!$B$1:$B$4', 'B3'],
  ])('is refused where it is read %s', async (_, out_Total, Cell) => {
    expect(await problemsOf({ names: { ...IN, out_Total } })).toMatchObject([{ Sheet: 'Report', Cell }]);
  });

  it.each([
    ['a table', '<worksheetSource name="Sales"/>', 'Sales'],
    ['a name that is calculated', '<worksheetSource name="Recent"/>', 'Recent'],
    [
      'consolidated ranges',
      '<consolidation><rangeSets><rangeSet ref="A2:B2" sheet="Data"/></rangeSets></consolidation>',
      'Data!A2:B2',
    ],
  ])('is refused where the source is %s', async (_, source, text) => {
    const problems = await problemsOf({ source, names: { ...IN, out_Total: 'Report!$B$5' } });
    expect(problems).toMatchObject([
      { Message: expect.stringContaining(`whose source (${text}) depends on`) as string },
    ]);
  });

  it('is refused where a step changes the source, or reads the result', async () => {
    const source = '<worksheetSource name="Sales"/>';
    const steps = [
      ['Step', 'Action', 'Input', 'Table', 'Cell', 'Message'],
      ['Load', 'Import', 'File', 'Sales', null, null],
      ['Is right', 'Check', null, null, 'Report!D1', 'Wrong'],
    ];
    expect(await problemsOf({ source, steps, names: { in_File: 'Inputs!$A$5' } })).toMatchObject([
      {
        Cell: 'B5',
        Message: expect.stringMatching(/^The step 'Is right' reads .* depends on the step 'Load'/) as string,
      },
    ]);
  });

  it.each<[string, Changes]>([
    ['reads nothing of it', { names: { ...IN, out_Other: 'Report!$D$5' } }],
    [
      'changes none of its source',
      { source: '<worksheetSource ref="A1:A3" sheet="Data"/>', names: { ...IN, out_Total: 'Report!$B$5' } },
    ],
    [
      'changes none of a calculated name',
      { source: '<worksheetSource name="Elsewhere"/>', names: { in_X: 'Data!$B$3', out_Total: 'Report!$B$5' } },
    ],
    [
      'has a source in another workbook',
      {
        source: '<worksheetSource ref="A1:B3" sheet="Data" r:id="rId1" xmlns:r="urn:r"/>',
        names: { ...IN, out_Total: 'Report!$B$5' },
      },
    ],
  ])('is accepted where the workbook %s', async (_, changes) => {
    const problems = await problemsOf(changes);
    expect(problems.filter(({ Message }) => Message.includes('pivot'))).toEqual([]);
  });
});
