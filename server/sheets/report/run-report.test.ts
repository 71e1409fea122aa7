import { describe, expect, it } from 'vitest';
import type { ActivityRun } from '#shared/contract/runs.ts';
import { exampleInput, exampleOutput, exampleRun, exampleTable } from '#test/support/example-run.ts';
import { readPdf } from '#test/support/read-pdf.ts';
import { makePdf, shownCodePoints } from './pdf-document.ts';
import { ReportTooLargeError } from './report-limits.ts';
import { runReport } from './run-report.ts';
import { REPLACEMENT } from './shown-characters.ts';

const MADE = '2026-12-01T08:00:00.000Z';
const known = shownCodePoints();
const GERMAN = { language: 'de', region: 'de-DE', timeZone: 'Europe/Berlin' } as const;
const AMERICAN = { language: 'en', region: 'en-US', timeZone: 'UTC' } as const;

async function pagesOf(more: Partial<ActivityRun>, reader: typeof GERMAN | typeof AMERICAN = AMERICAN) {
  const source = { run: exampleRun(more), reader, plotted: null, made: MADE };
  return readPdf(await makePdf(runReport(source, known)));
}

describe('the report of a run', () => {
  it('has the result first, then the inputs, then what one must know of the run', async () => {
    const { pages, language } = await pagesOf({
      Outputs: [exampleOutput('Rate', 1234.5)],
      Inputs: [exampleInput('Amount', 250000), exampleInput('Secret', 42, true)],
    });
    expect(language).toBe('en');
    expect(pages.join('\n').split('\n')).toEqual([
      'Loan schedule',
      'Run by Ada Löwe, ended 30/Nov/2026 23:30:02',
      'The run was successful',
      'Outputs',
      'Rate',
      '1,234.50',
      'Inputs',
      'Amount|250,000.00',
      'About this run',
      'Run number|77',
      'Version|3',
      'Run by|Ada Löwe',
      'Queued|30/Nov/2026 23:30:00',
      'Started|30/Nov/2026 23:30:01',
      'Ended|30/Nov/2026 23:30:02',
      "Fidelity|All 2,164 formulas match Excel's saved values",
      'PDF created|1/Dec/2026 08:00:00',
      'Time zone|UTC',
      'Loan schedule, version 3, run 77',
      'Page 1 of 1',
    ]);
  });

  it('is in the language, the region and the time zone of the person', async () => {
    const { pages, language } = await pagesOf(
      {
        Outputs: [
          exampleOutput('Rate', 1234.5),
          exampleOutput('Due', 46027, { CellUsages: ['Date'], Formats: ['mmmm yyyy'] }),
        ],
      },
      GERMAN,
    );
    expect(language).toBe('de');
    const [text] = pages as [string];
    for (const part of ['1.234,50', 'Januar 2026', 'beendet 01.12.2026 00:30:02', 'Seite 1 von 1', 'Über diesen Lauf'])
      expect(text).toContain(part);
  });

  it('says why a run failed', async () => {
    const entry = { Id: 1, ActivityRunId: 77, Time: MADE, StatusCode: 5, Category: 3 };
    const LogEntries = [{ ...entry, Message: 'Sheet1!B4 is blank', displayMessage: 'Sheet1!B4 is blank' }];
    const { pages } = await pagesOf({ Status: 'Failed', LogEntries });
    expect(pages[0]).toContain('The run failed\nSheet1!B4 is blank\n');
    expect(pages[0]).toContain('This run has no outputs.');
  });

  it('says it in the language of the person', async () => {
    const entry = { Id: 1, ActivityRunId: 77, Time: MADE, StatusCode: 5, Category: 3 };
    const Message = 'Amount: Value must be a number';
    const { pages } = await pagesOf(
      { Status: 'Failed', LogEntries: [{ ...entry, Message, displayMessage: '' }] },
      GERMAN,
    );
    expect(pages[0]).toContain('Der Lauf ist fehlgeschlagen\nAmount: Der Wert muss eine Zahl sein\n');
  });

  it('has all rows, with the name of the table and its headings on each page', async () => {
    const rows = Array.from({ length: 300 }, (_, index) => [`row ${index + 1}`, index]);
    const { pages } = await pagesOf({ Outputs: [exampleOutput('Plan', rows, exampleTable(['Name', 'Amount']))] });
    const found = pages.flatMap((page) => Array.from(page.matchAll(/^row (\d+)\|(\d+)$/gm), ([, row]) => Number(row)));
    expect(found).toEqual(Array.from({ length: 300 }, (_, index) => index + 1));
    expect(pages.length).toBeGreaterThan(4);
    for (const [index, page] of pages.entries()) {
      expect(page).toContain(`Page ${index + 1} of ${pages.length}`);
      if (/^row /m.test(page)) expect(page).toContain('Plan\nName|Amount\nrow');
    }
  });

  it('continues a wide table below, with the first column', async () => {
    const columns = Array.from({ length: 100 }, (_, col) => (col === 0 ? 'Key' : `C${col}`));
    const rows = Array.from({ length: 20 }, (_, row) =>
      columns.map((_, col) => (col === 0 ? `k${row}` : `${row}.${col}`)),
    );
    const { pages } = await pagesOf({ Outputs: [exampleOutput('Wide', rows, exampleTable(columns))] });
    const lines = pages.flatMap((page) => page.split('\n'));
    const headings = lines.filter((line) => line.startsWith('Key|'));
    expect(new Set(headings.flatMap((line) => line.split('|')))).toEqual(new Set(columns));
    expect(lines.filter((line) => /^Wide · Columns \d+ to \d+ of 100$/.test(line))).toHaveLength(headings.length);
    const cells = lines.filter((line) => /^k\d+\|/.test(line)).flatMap((line) => line.split('|').slice(1));
    expect(cells.toSorted()).toEqual(rows.flatMap((row) => row.slice(1)).toSorted());
  });

  it('plots what the author chose', async () => {
    const rows = Array.from({ length: 12 }, (_, month) => [46027 + month, month * 100]);
    const part = exampleTable(['Day', 'Amount'], { CellUsages: ['Date', 'Number'], Formats: ['dd/mm/yyyy', '#,##0'] });
    const plain = (await pagesOf({ Outputs: [exampleOutput('Plan', rows, part)] })).pages.join('\n');
    expect(plain).not.toContain('Plot of Plan');
    const plotted = (await pagesOf({ Outputs: [exampleOutput('Plan', rows, { ...part, Plot: true })] })).pages.join(
      '\n',
    );
    expect(plotted).toContain('Plot of Plan over Day');
  });
});

describe('texts of strangers', () => {
  it('are replaced and counted where the font has no letters for them', async () => {
    const text = 'שלום 中 😀\u0007 Größe Київ';
    const { pages } = await pagesOf({ Outputs: [exampleOutput('Word', text, { CellUsages: ['Text'] })] }, GERMAN);
    const [letters, sign, rest] = [4, 1, 2].map((count) => REPLACEMENT.repeat(count));
    expect(pages[0]).toContain(`${letters} ${sign} ${rest} Größe Київ`);
    expect(pages[0]).toContain('7 Zeichen können in dieser PDF-Datei nicht dargestellt werden');
    const clean = await pagesOf({ Outputs: [exampleOutput('Word', 'Zürich', { CellUsages: ['Text'] })] }, GERMAN);
    expect(clean.pages[0]).not.toContain('Zeichen können');
  });

  it('are whole, however long they are', async () => {
    const word = Array.from({ length: 32_767 }, (_, index) => index % 10).join('');
    const values = [
      ['a', word],
      ['b', 'line\n'.repeat(300)],
      ['c', 'x'],
    ];
    const { pages } = await pagesOf({ Outputs: [exampleOutput('T', values, exampleTable(['Name', 'Text']))] });
    const lines = pages.flatMap((page) => page.split('\n'));
    const digits = lines.flatMap((line) => /^(?:a\|)?(\d+)$/.exec(line)?.[1] ?? []).join('');
    expect(digits).toBe(word);
    expect(lines.filter((line) => /^(?:b\|)?line$/.test(line))).toHaveLength(300);
    expect(lines).toContain('c|x');
  });

  it('push no row off the page as headings, however high they would be', async () => {
    const values = Array.from({ length: 60 }, (_, row) => [row + 1_000]);
    for (const heading of ['ab '.repeat(66), 'a\n'.repeat(100), `${'x'.repeat(150)} ${'y'.repeat(150)}`]) {
      const { pages } = await pagesOf({ Outputs: [exampleOutput(heading, values, exampleTable([heading]))] });
      const found = pages.flatMap((page) => page.match(/^1\d\d\d$/gm) ?? []);
      expect(found).toEqual(values.map(([value]) => String(value)));
    }
  });

  it('cannot make a report larger than its limits', () => {
    const source = (Outputs: ActivityRun['Outputs']) => ({
      run: exampleRun({ Outputs }),
      reader: AMERICAN,
      plotted: null,
      made: MADE,
    });
    const cells = Array.from({ length: 5_000 }, () => Array.from({ length: 10 }, () => 1));
    const columns = Array.from({ length: 10 }, (_, col) => `C${col}`);
    expect(() => runReport(source([exampleOutput('T', cells, exampleTable(columns))]), known)).toThrow(
      ReportTooLargeError,
    );
    const long = Array.from({ length: 31 }, () => ['x'.repeat(32_767)]);
    expect(() => runReport(source([exampleOutput('T', long, exampleTable(['A']))]), known)).toThrow(
      ReportTooLargeError,
    );
  });
});
