/** How proposals use the looks of cells and the contents of charts. */
import { describe, expect, it } from 'vitest';
import type { CellSpec } from '#test/support/build-workbook.ts';
import { cellsOf, proposalsFor } from '#test/support/proposed-marks.ts';

/** Styles: 1 unlocked, 2 yellow fill, 3 the named style Input, 4 the named style Total. */
const STYLES =
  '<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">' +
  '<fonts count="1"><font><sz val="11"/><color theme="1"/></font></fonts>' +
  '<fills count="3"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill>' +
  '<fill><patternFill patternType="solid"><fgColor rgb="FFFFFF00"/></patternFill></fill></fills>' +
  '<borders count="1"><border><left/><right/><top/><bottom/></border></borders>' +
  '<cellStyleXfs count="3"><xf/><xf/><xf/></cellStyleXfs>' +
  '<cellXfs count="5"><xf xfId="0"/><xf xfId="0" applyProtection="1"><protection locked="0"/></xf>' +
  '<xf xfId="0" fillId="2" applyFill="1"/><xf xfId="1"/><xf xfId="2"/></cellXfs>' +
  '<cellStyles count="3"><cellStyle name="Normal" xfId="0" builtinId="0"/><cellStyle name="Eingabe" xfId="1" builtinId="20"/>' +
  '<cellStyle name="Ergebnis" xfId="2" builtinId="25"/></cellStyles></styleSheet>';

const FORM: CellSpec[][] = [
  ['Hours', 8],
  ['Wage', 20],
  ['Comment', null],
  ['Pay', '=B1*B2'],
];

async function proposed(rows: CellSpec[][], styles: Record<string, number>, extra = '') {
  const cells = cellsOf(rows);
  for (const [address, style] of Object.entries(styles)) {
    const cell = cells[address] ?? null;
    cells[address] = { ...(cell !== null && typeof cell === 'object' ? cell : { value: cell }), style };
  }
  const proposals = await proposalsFor({
    sheets: [{ name: 'Form', cells, extra }],
    parts: { 'xl/styles.xml': STYLES },
  });
  return (range: string) => proposals.find((proposal) => proposal.range === range);
}

describe('looks of cells', () => {
  it('takes the unlocked cells of a protected sheet, blank ones too, before those that are locked', async () => {
    const find = await proposed(FORM, { B1: 1, B3: 1 }, '<sheetProtection sheet="1"/>');
    expect(find('B1')).toMatchObject({ preselected: true, reason: { code: 'unlocked' } });
    expect(find('B3')).toMatchObject({ role: 'input', reason: { code: 'unlocked' } });
    expect(find('B2')?.preselected ?? false).toBe(false);
  });

  it('takes cells that are filled as the cells to fill in are, though no formula reads them', async () => {
    const find = await proposed(FORM, { B1: 2, B2: 2, B3: 2 });
    expect(find('B1')).toMatchObject({ preselected: true, reason: { code: 'inputStyle' } });
    expect(find('B3')).toMatchObject({ role: 'input', name: 'Comment', reason: { code: 'inputStyle' } });
  });

  it('learns the look of a form that nobody filled in from the blank cells that formulas read', async () => {
    const rows: CellSpec[][] = [['Rate'], ['Nights'], ['Rent'], ['Water'], ['Total', '=B1*B2-SUM(B3:B4)']];
    const find = await proposed(rows, { B1: 2, B2: 2, B3: 2, B4: 2 });
    expect(find('B3')).toMatchObject({ role: 'input', name: 'Rent', reason: { code: 'inputStyle' } });
    expect(find('B1')).toMatchObject({ preselected: true });
  });

  it('knows the styles Input and Total in any language of Excel', async () => {
    const find = await proposed(FORM, { B1: 3, B4: 4 });
    expect(find('B1')).toMatchObject({ reason: { code: 'inputStyle' } });
    expect(find('B4')).toMatchObject({ role: 'output', reason: { code: 'outputStyle' } });
  });

  it('reads a workbook whose styles are damaged without them', async () => {
    const cells = cellsOf(FORM);
    const proposals = await proposalsFor({ sheets: [{ name: 'Form', cells }], parts: { 'xl/theme/theme1.xml': '<a' } });
    expect(proposals.map(({ range }) => range)).toContain('B4');
  });
});

it('ranks results that a chart shows', async () => {
  const rows: CellSpec[][] = [
    ['Month', 'Rain', 'Sun'],
    ['a', 3, '=B2*2'],
    ['b', 4, '=B3*2'],
    ['c', 5, '=B4*2'],
  ];
  const chart =
    '<c:chartSpace xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"><c:chart><c:plotArea><c:barChart><c:ser>' +
    '<c:val><c:numRef><c:f>Data!$C$2:$C$4</c:f></c:numRef></c:val></c:ser></c:barChart></c:plotArea></c:chart></c:chartSpace>';
  const proposals = await proposalsFor({
    sheets: [{ name: 'Data', cells: cellsOf(rows) }],
    parts: {
      'xl/worksheets/_rels/sheet1.xml.rels': relationships('drawing', '../drawings/drawing1.xml'),
      'xl/drawings/_rels/drawing1.xml.rels': relationships('chart', '../charts/chart1.xml'),
      'xl/charts/chart1.xml': chart,
    },
  });
  expect(proposals.find(({ role }) => role === 'output')).toMatchObject({
    range: 'C2:C4',
    reason: { code: 'inChart' },
  });
});

function relationships(type: string, target: string): string {
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const own = `<Relationship Id="rId1" Type="${office}/${type}" Target="${target}"/>`;
  return `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${own}</Relationships>`;
}
