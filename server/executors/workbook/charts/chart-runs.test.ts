import { describe, expect, it } from 'vitest';
import { chartPath, chartXml, numbersXml, seriesXml, textsXml, withParts } from '#test/support/add-parts.ts';
import type { WorkbookSpec } from '#test/support/build-workbook.ts';
import { value, workbookExecutors } from '#test/support/workbook-executors.ts';
import { openPackage } from '../package.ts';

const { activity } = workbookExecutors();

/** A table as input, a chart of it, and a chart whose cells only Excel could determine. */
function withCharts(): WorkbookSpec {
  const spec: WorkbookSpec = {
    sheets: [
      {
        name: 'S',
        cells: { A1: 'Item', B1: 'Net', C1: 'Gross', A2: 'a', B2: 1, C2: { formula: 'B2*2', value: 2 } },
        tables: [{ name: 'T', ref: 'A1:C2', columns: ['Item', 'Net', { name: 'Gross', formula: 'B2*2' }] }],
      },
      { name: 'Report', cells: { A1: { formula: 'SUM(T[Gross])', value: 2 } } },
    ],
    names: { in_Lines: 'T[]', out_Total: 'Report!$A$1', Moving: 'OFFSET(S!$C$2,0,0,2,1)' },
  };
  const series = seriesXml(0, textsXml('cat', 'S!$A$2', ['a']), numbersXml('val', 'S!$C$2', [2]));
  const moving = seriesXml(0, numbersXml('val', '[0]!Moving', [2]));
  return { ...spec, parts: withParts(spec, { sheets: { 1: { charts: [chartXml([series]), chartXml([moving])] } } }) };
}

describe('the workbook that a run hands back', () => {
  it('shows its results in its charts, and the log says once which it could not read', async () => {
    const made = await activity(withCharts());
    const rows = [
      ['nuts', 10, null],
      ['bolts', 20, null],
      ['screws', 2.5, null],
    ];
    const outcome = await made.run([value('Lines', rows)]);
    expect(outcome).toMatchObject({ status: 'Succeeded', outputs: [{ Name: 'Total', Value: '65' }] });
    const after = await openPackage(outcome.files[0]!.bytes);
    const chart = new TextDecoder().decode(after.part(chartPath(1)));
    expect(chart).toContain(textsXml('cat', 'S!$A$2:$A$4', ['nuts', 'bolts', 'screws']));
    expect(chart).toContain(numbersXml('val', 'S!$C$2:$C$4', [20, 40, 5]));
    const messages = made.log.filter(({ Message }) => Message.startsWith('The chart '));
    expect(messages).toEqual([
      {
        Message: expect.stringContaining(
          `The chart ${chartPath(1, 1)} on sheet 'Report' keeps old numbers until it is opened`,
        ),
        StatusCode: 0,
        Category: 1,
      },
    ]);
  });
});
