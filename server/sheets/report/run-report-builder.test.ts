import { expect, test } from 'vitest';
import { AppError } from '#server/base/app-error.ts';
import { exampleRun, exampleOutput, exampleTable } from '#test/support/example-run.ts';
import { createRunReportBuilder } from './run-report-builder.ts';
import type { ReportSource } from './run-report.ts';

const PERSON = 1;
const source = (value: unknown): ReportSource => ({
  run: exampleRun({ Outputs: [exampleOutput('Table', value, exampleTable(['A']))] }),
  reader: { language: 'en', region: 'en-US', timeZone: 'UTC' },
  plotted: null,
  made: '2026-12-01T08:00:00.000Z',
});
const here = (): AbortSignal => new AbortController().signal;
const refusal = async (work: Promise<unknown>): Promise<[string, number]> => {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof AppError)) throw new Error(`not refused: ${String(error)}`);
  return [error.code, error.status];
};

test('a thread makes the file', async () => {
  const bytes = await createRunReportBuilder().build(source([['one']]), PERSON, here());
  expect(Buffer.from(bytes.subarray(0, 5)).toString()).toBe('%PDF-');
});

test('a run that is too large is refused with the way out', async () => {
  const reports = createRunReportBuilder();
  const rows = Array.from({ length: 50_000 }, () => [1]);
  await expect(reports.build(source(rows), PERSON, here())).rejects.toThrow('Download the Excel file instead');
  expect(await refusal(reports.build(source(['x'.repeat(8_000_000)]), PERSON, here()))).toEqual([
    'reportTooLarge',
    422,
  ]);
});

test('a file that takes too long is refused like one that is too large', async () => {
  const impatient = createRunReportBuilder({ memory: 1024, timeLimit: 1 });
  expect(await refusal(impatient.build(source([['one']]), PERSON, here()))).toEqual(['reportTooLarge', 422]);
});

test('nobody waits for more than three files at the same time', async () => {
  const reports = createRunReportBuilder();
  const left = new AbortController();
  const work = Array.from({ length: 3 }, () => reports.build(source([['one']]), PERSON, left.signal));
  const ends = Promise.allSettled(work);
  expect(await refusal(reports.build(source([['one']]), PERSON, here()))).toEqual(['tooManyReports', 429]);
  left.abort(new Error('gone'));
  expect((await ends).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  // Those who left do not count any longer.
  expect((await reports.build(source([['one']]), PERSON, here())).length).toBeGreaterThan(1000);
});
