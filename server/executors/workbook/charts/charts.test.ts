import { describe, expect, it } from 'vitest';
import { parseCell } from '#shared/codecs/cell-address.ts';
import { readWorkbook } from '#server/calculation/reader/read-workbook.ts';
import type { CellValue } from '#server/calculation/values/cell-value.ts';
import {
  chartPath,
  chartXml,
  newChartXml,
  numbersCache,
  numbersXml,
  pointsXml,
  seriesXml,
  textsXml,
  withParts,
} from '#test/support/add-parts.ts';
import type { AddedParts } from '#test/support/add-parts.ts';
import type { WorkbookSpec } from '#test/support/build-workbook.ts';
import { chartProblems } from '#test/support/chart-schema.ts';
import { zipParts } from '#test/support/zip-parts.ts';
import { openPackage } from '../package.ts';
import { writeBack } from '../write-back.ts';
import type { WorkbookEdits } from '../write-back.ts';

const edit = (address: string, value: CellValue, sheet = 0) => ({ sheet, ...parseCell(address)!, value });

/** Two rows of orders with totals below, and sheets that show them. */
const ORDERS: WorkbookSpec = {
  sheets: [
    {
      name: 'Orders',
      cells: {
        A1: 'Item',
        B1: 'Region',
        C1: 'Sum',
        A2: 'Nuts',
        B2: 'North',
        C2: { value: 10, style: 1 },
        A3: 'Bolts',
        B3: 'South',
        C3: { value: 20, style: 1 },
        A4: 'Total',
        C4: { formula: 'SUM(C2:C3)', value: 30 },
      },
      tables: [{ name: 'T', ref: 'A1:C4', totals: true, columns: ['Item', 'Region', 'Sum'] }],
    },
    { name: "Ann's report", cells: { A1: { value: 1 } } },
  ],
  names: [
    { name: 'Sums', text: 'Orders!$C$2:$C$3' },
    { name: 'Column', text: 'T[Sum]' },
    { name: 'Moving', text: 'OFFSET(Orders!$C$2,0,0,COUNT(Orders!$C$2:$C$99),1)' },
  ],
  formats: ['0.00'],
};

const GROWN: WorkbookEdits = {
  tables: [{ table: 'T', dataRows: 4 }],
  constants: [
    edit('A4', 'Screws'),
    edit('B4', 'East & West'),
    edit('C4', 30),
    edit('A5', null),
    edit('B5', 'South'),
    edit('C5', 40.5),
  ],
  results: [edit('C6', 100.5)],
};
const SHRUNK: WorkbookEdits = { tables: [{ table: 'T', dataRows: 1 }], results: [edit('C3', 10)] };

async function written(spec: WorkbookSpec, added: AddedParts, edits: WorkbookEdits) {
  const source = await openPackage(await zipParts(withParts(spec, added)));
  const notices: string[] = [];
  const bytes = await writeBack(source, readWorkbook(source), edits, (message) => notices.push(message));
  const after = await openPackage(bytes);
  const text = (path: string) => new TextDecoder().decode(after.part(path));
  const old = (path: string) => new TextDecoder().decode(source.part(path));
  return { text, old, notices, model: readWorkbook(after) };
}

/** Returns the chart of the second sheet after the edits, and checks that Excel can read it. */
async function chartAfter(series: string[], edits: WorkbookEdits, spec = ORDERS, rest?: string) {
  const result = await written(spec, { sheets: { 1: { charts: [chartXml(series, rest)] } } }, edits);
  const chart = result.text(chartPath(1));
  const before = result.old(chartPath(1));
  if (chartProblems(before).length === 0) expect(chartProblems(chart)).toEqual([]);
  return { ...result, chart, before };
}

const SUMS = numbersXml('val', 'Orders!$C$2:$C$3', [10, 20], '0.00');
const NAMES = textsXml('cat', "'Orders'!$A$2:$A$3", ['Nuts', 'Bolts']);

describe('a chart of a table', () => {
  it.each([
    ['a count behind its points', '<c:numCache><c:pt idx="0"><c:v>1</c:v></c:pt><c:ptCount val="1"/></c:numCache>'],
    ['a point beyond the count', `<c:strCache>${pointsXml(['a', 'b']).replace('val="2"', 'val="1"')}</c:strCache>`],
    ['text among numbers', `<c:numCache>${pointsXml(['many'])}</c:numCache>`],
    ['two kinds of categories', '<c:cat><c:numRef><c:f>A1</c:f></c:numRef><c:strRef><c:f>A1</c:f></c:strRef></c:cat>'],
  ])('is not to have %s', (_, xml) => expect(chartProblems(xml)).not.toEqual([]));

  it('that has grown shows its new rows, on another sheet too, and keeps what it has to say', async () => {
    const tx = textsXml('tx', 'Orders!$C$1', ['Sum']);
    const { chart, before, notices } = await chartAfter([seriesXml(0, tx, NAMES, SUMS)], GROWN);
    const values = numbersXml('val', 'Orders!$C$2:$C$5', [10, 20, 30, 40.5], '0.00');
    const names = textsXml('cat', 'Orders!$A$2:$A$5', ['Nuts', 'Bolts', 'Screws', null]);
    expect(chart).toBe(before.replace(SUMS, values).replace(NAMES, names));
    expect(notices).toEqual([]);
  });

  it('that has shrunk shows no more than is left', async () => {
    const { chart } = await chartAfter([seriesXml(0, NAMES, SUMS)], SHRUNK);
    expect(chart).toContain(numbersXml('val', 'Orders!$C$2:$C$2', [10], '0.00'));
    expect(chart).toContain(textsXml('cat', 'Orders!$A$2:$A$2', ['Nuts']));
  });

  it('shows new results where nothing has grown', async () => {
    const { chart, before } = await chartAfter([seriesXml(0, NAMES, SUMS)], { results: [edit('C3', 0.1 + 0.2)] });
    expect(chart).toBe(before.replace('<c:v>20</c:v>', '<c:v>0.30000000000000004</c:v>'));
  });

  it('stays byte for byte where it says the same already', async () => {
    const { chart, before } = await chartAfter([seriesXml(0, NAMES, SUMS.replace('>10<', '>1.0E1<'))], {
      results: [edit('C4', 31)],
    });
    expect(chart).toBe(before);
  });

  it('moves with the totals', async () => {
    const total = numbersXml('val', 'Orders!$C$4', [30]);
    const { chart } = await chartAfter([seriesXml(0, total)], GROWN);
    expect(chart).toContain(numbersXml('val', 'Orders!$C$6', [100.5]));
  });

  it('follows relative references, lists of areas and error bars', async () => {
    const bars =
      `<c:errBars><c:errBarType val="both"/><c:errValType val="cust"/>` +
      `${numbersXml('plus', 'Orders!C2:C3', [1, 2])}${numbersXml('minus', 'Orders!$C2:$C3', [1, 2])}</c:errBars>`;
    const list = numbersXml('val', '(Orders!$C$2:$C$3,Orders!$C$4)', [10, 20, 30]);
    const { chart } = await chartAfter([seriesXml(0, bars, list)], GROWN);
    expect(chart).toContain(numbersXml('plus', 'Orders!C2:C5', [10, 20, 30, 40.5], '0.00'));
    expect(chart).toContain(numbersXml('minus', 'Orders!$C2:$C5', [10, 20, 30, 40.5], '0.00'));
    expect(chart).toMatch(/<c:f>\(?Orders!\$C\$2:\$C\$5,Orders!\$C\$6\)?<\/c:f>/);
    expect(chart).toContain('<c:ptCount val="5"/>');
    expect(chart).toContain('<c:pt idx="4" formatCode="General"><c:v>100.5</c:v></c:pt>');
  });

  it('follows names, of cells and of a table’s column', async () => {
    const series = [
      seriesXml(0, numbersXml('val', '[0]!Sums', [10, 20])),
      seriesXml(1, numbersXml('val', 'Orders!Column', [10, 20])),
    ];
    const { chart, model } = await chartAfter(series, GROWN);
    expect(chart).toContain(numbersXml('val', '[0]!Sums', [10, 20, 30, 40.5], '0.00'));
    expect(chart).toContain(numbersXml('val', 'Orders!Column', [10, 20, 30, 40.5], '0.00'));
    expect(model.names[0]!.text).toBe('Orders!$C$2:$C$5');
  });

  it('is left with what it has kept, and says so, where a name has to be calculated', async () => {
    const moving = numbersXml('val', '[0]!Moving', [1, 2]);
    const { chart, notices } = await chartAfter([seriesXml(0, NAMES, moving)], GROWN);
    expect(chart).toContain(moving);
    expect(chart).toContain(textsXml('cat', 'Orders!$A$2:$A$5', ['Nuts', 'Bolts', 'Screws', null]));
    expect(notices).toEqual([
      `The chart ${chartPath(1)} on sheet 'Ann's report' keeps old numbers until it is opened: ` +
        `what '[0]!Moving' refers to cannot be determined without Excel`,
    ]);
  });

  it('stays as it is and says so where it is no XML', async () => {
    const spec = { ...ORDERS };
    const result = await written(spec, { sheets: { 1: { charts: ['<c:chartSpace><c:chart>'] } } }, GROWN);
    expect(result.text(chartPath(1))).toBe(result.old(chartPath(1)));
    expect(result.notices).toEqual([
      expect.stringContaining(`The chart ${chartPath(1)} on sheet 'Ann's report' stays as it is in the file`),
    ]);
    expect(result.model.tables[0]!.block.bottom).toBe(5);
  });

  it('keeps other workbooks’ values, and ranges outside the table', async () => {
    const series = [
      seriesXml(0, numbersXml('val', "'[1]Orders'!$C$2:$C$3", [7, 8])),
      seriesXml(1, numbersXml('val', '#REF!', [7, 8])),
      seriesXml(2, numbersXml('val', "'Ann''s report'!$A$1:$A$3", [1, null, null])),
    ];
    const { chart, before } = await chartAfter(series, GROWN);
    expect(chart).toBe(before);
  });

  it('has categories of several levels, the last column first', async () => {
    const levels = (formula: string, count: number, inner: (string | null)[], outer: string[]): string => {
      const level = (values: (string | null)[]): string =>
        `<c:lvl>${pointsXml(values).replace(/<c:ptCount[^>]*>/, '')}</c:lvl>`;
      return (
        `<c:cat><c:multiLvlStrRef><c:f>${formula}</c:f><c:multiLvlStrCache><c:ptCount val="${count}"/>` +
        `${level(inner)}${level(outer)}</c:multiLvlStrCache></c:multiLvlStrRef></c:cat>`
      );
    };
    const cat = levels('Orders!$A$2:$B$3', 2, ['North', 'South'], ['Nuts', 'Bolts']);
    const { chart } = await chartAfter([seriesXml(0, cat, SUMS)], GROWN);
    expect(chart).toContain(
      levels('Orders!$A$2:$B$5', 4, ['North', 'South', 'East &amp; West', 'South'], ['Nuts', 'Bolts', 'Screws']),
    );
  });

  it('takes texts for 0 among values, names errors, and leaves out blanks', async () => {
    const { chart } = await chartAfter([seriesXml(0, SUMS)], {
      ...GROWN,
      constants: [edit('C4', 'none'), edit('C5', null)],
    });
    expect(chart).toContain(
      '<c:ptCount val="4"/><c:pt idx="0"><c:v>10</c:v></c:pt><c:pt idx="1"><c:v>20</c:v></c:pt><c:pt idx="2"><c:v>0</c:v></c:pt></c:numCache>',
    );
  });

  it('has categories of text where it had numbers', async () => {
    const cat = numbersXml('cat', 'Orders!$B$2:$B$3', [1, 2]);
    const { chart } = await chartAfter([seriesXml(0, cat, SUMS)], GROWN);
    expect(chart).toContain(textsXml('cat', 'Orders!$B$2:$B$5', ['North', 'South', 'East &amp; West', 'South']));
  });

  it('shows numbers among its names as their cells do', async () => {
    const { chart } = await chartAfter([seriesXml(0, textsXml('cat', 'Orders!$C$2:$C$3', ['a', 'b']), SUMS)], GROWN);
    expect(chart).toContain(textsXml('cat', 'Orders!$C$2:$C$5', ['10.00', '20.00', '30.00', '40.50']));
  });

  it('leaves out hidden rows, unless it shows them', async () => {
    const [orders, report] = ORDERS.sheets;
    const spec = { ...ORDERS, sheets: [{ ...orders!, hiddenRows: [3] }, report!] };
    const visible = numbersXml('val', 'Orders!$C$2:$C$3', [10], '0.00');
    const hides = await chartAfter([seriesXml(0, visible)], GROWN, spec);
    expect(hides.chart).toContain(numbersXml('val', 'Orders!$C$2:$C$5', [10, 30, 40.5], '0.00'));
    const shows = await chartAfter([seriesXml(0, SUMS)], GROWN, spec, '<c:plotVisOnly val="0"/>');
    expect(shows.chart).toContain(numbersXml('val', 'Orders!$C$2:$C$5', [10, 20, 30, 40.5], '0.00'));
  });

  it('leaves out hidden columns, unless it shows them', async () => {
    const spec: WorkbookSpec = {
      ...ORDERS,
      sheets: [
        {
          name: 'Quarters',
          cells: { A1: 'Item', B1: 'Q1', C1: 'Q2', D1: 'Q3', A2: 'Nuts', B2: 1, C2: 2, D2: 3 },
          hiddenColumns: [3],
        },
        ORDERS.sheets[1]!,
      ],
      names: [],
    };
    const edits = { constants: [edit('B2', 10), edit('C2', 20), edit('D2', 30)] };
    const shown = (values: number[]) => numbersXml('val', 'Quarters!$B$2:$D$2', values);
    const names = textsXml('cat', 'Quarters!$B$1:$D$1', ['Q1', 'Q3']);
    const hides = await chartAfter([seriesXml(0, names, shown([1, 3]))], edits, spec);
    expect(hides.chart).toBe(hides.before.replace(shown([1, 3]), shown([10, 30])));
    const block = numbersXml('val', 'Quarters!$B$1:$D$2', [0, 0, 1, 3]);
    expect((await chartAfter([seriesXml(0, block)], edits, spec)).chart).toContain(
      numbersXml('val', 'Quarters!$B$1:$D$2', [0, 0, 10, 30]),
    );
    const none = numbersXml('val', 'Quarters!$C$2', []);
    expect((await chartAfter([seriesXml(0, none)], edits, spec)).chart).toContain(none);
    // The cached values include the hidden column.
    const all = await chartAfter([seriesXml(0, shown([1, 2, 3]))], edits, spec);
    expect(all.chart).toContain(shown([10, 20, 30]));
    const shows = await chartAfter([seriesXml(0, shown([1, 3]))], edits, spec, '<c:plotVisOnly val="0"/>');
    expect(shows.chart).toContain(shown([10, 20, 30]));
  });

  it('leaves out levels of categories in hidden columns', async () => {
    const [orders, report] = ORDERS.sheets;
    const spec = { ...ORDERS, sheets: [{ ...orders!, hiddenColumns: [2] }, report!] };
    const cat = (last: number, ...levels: (string | null)[][]): string =>
      `<c:cat><c:multiLvlStrRef><c:f>Orders!$A$2:$B$${last}</c:f><c:multiLvlStrCache><c:ptCount val="${last - 1}"/>` +
      levels.map((names) => `<c:lvl>${pointsXml(names).replace(/<c:ptCount[^>]*>/, '')}</c:lvl>`).join('') +
      '</c:multiLvlStrCache></c:multiLvlStrRef></c:cat>';
    const items = ['Nuts', 'Bolts', 'Screws'];
    const regions = ['North', 'South', 'East &amp; West', 'South'];
    const hides = await chartAfter([seriesXml(0, cat(3, ['Nuts', 'Bolts']), SUMS)], GROWN, spec);
    expect(hides.chart).toContain(cat(5, items));
    const both = await chartAfter([seriesXml(0, cat(3, ['North', 'South'], ['Nuts', 'Bolts']), SUMS)], GROWN, spec);
    expect(both.chart).toContain(cat(5, regions, items));
  });

  it('grows from one row as from several, and by row not at all', async () => {
    const one: WorkbookSpec = {
      ...ORDERS,
      sheets: [
        {
          name: 'Orders',
          cells: { A1: 'Item', B1: 'Q1', C1: 'Q2', A2: 'Nuts', B2: 1, C2: 2 },
          tables: [{ name: 'T', ref: 'A1:C2', columns: ['Item', 'Q1', 'Q2'] }],
        },
        ORDERS.sheets[1]!,
      ],
      names: [],
    };
    const grown = {
      tables: [{ table: 'T', dataRows: 2 }],
      constants: [edit('A3', 'Bolts'), edit('B3', 3), edit('C3', 4)],
    };
    const column = seriesXml(
      0,
      textsXml('tx', 'Orders!$B$1', ['Q1']),
      textsXml('cat', 'Orders!$A$2', ['Nuts']),
      numbersXml('val', 'Orders!$B$2', [1]),
    );
    const row = seriesXml(
      1,
      textsXml('tx', 'Orders!$A$2', ['Nuts']),
      textsXml('cat', 'Orders!$B$1:$C$1', ['Q1', 'Q2']),
      numbersXml('val', 'Orders!$B$2:$C$2', [1, 2]),
    );
    const { chart, before } = await chartAfter([column, row], grown, one);
    const now = seriesXml(
      0,
      textsXml('tx', 'Orders!$B$1', ['Q1']),
      textsXml('cat', 'Orders!$A$2:$A$3', ['Nuts', 'Bolts']),
      numbersXml('val', 'Orders!$B$2:$B$3', [1, 3]),
    );
    expect(chart).toBe(before.replace(column, now));
  });

  it('keeps no more points than a part may hold', async () => {
    const [orders, report] = ORDERS.sheets;
    const { B1: _b, C1: _c, ...rest } = orders!.cells!;
    const spec = { ...ORDERS, sheets: [{ ...orders!, cells: { ...rest, B1: 'Region', C1: 'Sum' } }, report!] };
    const rows = 40_000;
    const constants = Array.from({ length: rows }, (_, index) => edit(`C${index + 2}`, index));
    const { chart } = await chartAfter(
      [seriesXml(0, SUMS)],
      { tables: [{ table: 'T', dataRows: rows }], constants },
      spec,
    );
    expect(chart).toContain(`<c:f>Orders!$C$2:$C$${rows + 1}</c:f>`);
    expect(chart).toContain(`<c:ptCount val="${rows}"/>`);
    expect(chart.match(/<c:pt /g)).toHaveLength(32_000);
    expect(chart).toContain('<c:pt idx="31999"><c:v>31999</c:v></c:pt></c:numCache>');
  });

  it('of the newer kinds follows too, with its names and numbers', async () => {
    const data = (last: number, names: string, numbers: string, count: number): string =>
      `<cx:data id="0"><cx:strDim type="cat"><cx:f>Orders!$A$2:$A$${last}</cx:f><cx:lvl ptCount="${count}">${names}</cx:lvl></cx:strDim>` +
      `<cx:numDim type="val"><cx:f>Orders!$C$2:$C$${last}</cx:f><cx:lvl ptCount="${count}" formatCode="0.00">${numbers}</cx:lvl></cx:numDim></cx:data>`;
    const pt = (index: number, value: number | string): string => `<cx:pt idx="${index}">${value}</cx:pt>`;
    const old = newChartXml(data(3, pt(0, 'Nuts') + pt(1, 'Bolts'), pt(0, 10) + pt(1, 20), 2));
    const { text } = await written(ORDERS, { sheets: { 1: { newCharts: [old] } } }, GROWN);
    const now = newChartXml(
      data(5, pt(0, 'Nuts') + pt(1, 'Bolts') + pt(2, 'Screws'), pt(0, 10) + pt(1, 20) + pt(2, 30) + pt(3, 40.5), 4),
    );
    expect(text('xl/charts/chartEx2_1.xml')).toContain(now.replace('<cx:v>Old</cx:v>', '<cx:v>Sum</cx:v>'));
  });

  it('has labels from cells and ranges of filtered series that follow', async () => {
    const labels =
      '<c:extLst><c:ext uri="{02D57815-91ED-43cb-92C2-25804820EDAC}" xmlns:c15="http://schemas.microsoft.com/office/drawing/2012/chart">' +
      `<c15:fullRef><c15:sqref>Orders!$C$2:$C$3</c15:sqref></c15:fullRef><c15:datalabelsRange><c15:f>Orders!$A$2:$A$3</c15:f>` +
      `<c15:dlblRangeCache>${pointsXml(['Nuts', 'Bolts'])}</c15:dlblRangeCache></c15:datalabelsRange></c:ext></c:extLst>`;
    const { chart } = await chartAfter([seriesXml(0, SUMS, labels)], GROWN);
    expect(chart).toContain('<c15:sqref>Orders!$C$2:$C$5</c15:sqref>');
    expect(chart).toContain('<c15:f>Orders!$A$2:$A$5</c15:f>');
    expect(chart).toContain('<c15:ptCount val="4"/><c15:pt idx="0"><c15:v>Nuts</c15:v></c15:pt>');
  });

  it('without kept numbers gets none', async () => {
    const bare = SUMS.replace(numbersCache([10, 20], '0.00'), '');
    const { chart, before } = await chartAfter([seriesXml(0, bare)], GROWN);
    expect(chart).toBe(before.replace('$C$2:$C$3', '$C$2:$C$5'));
  });
});
