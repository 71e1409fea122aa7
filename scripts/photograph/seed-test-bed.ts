/**
 * Test cases that pass, that differ in one cell and in hundreds, a workbook that was refused because of them, and
 * batches that ended well and badly.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Batch, BatchPage, CheckedBatch } from '#shared/contract/batches.ts';
import type { TestCaseContent } from '#shared/contract/test-beds.ts';
import { buildWorkbook } from '#test/support/build-workbook.ts';
import type { BenchPortal } from '../bench/portal.ts';
import { revenueBook } from './seed-automation-books.ts';

const POLL_INTERVAL_MS = 250;

const exactly = (Name: string, value: unknown) => ({
  Name,
  Value: JSON.stringify(value),
  Tolerance: 0,
  RelativeTolerance: 0,
});
const caseInput = (Name: string, value: unknown) => ({ Name, Value: JSON.stringify(value), UseDefault: false });
const rowsOf = (units: number, revenue: number): unknown[][] =>
  ['North', 'South', 'East', 'West'].map((region) => [region, units, revenue]);

const revenueCases: TestCaseContent[] = [
  {
    Name: 'A week as any other',
    Status: 'Succeeded',
    Inputs: [caseInput('Units', 100), caseInput('Price', 50)],
    Expected: [exactly('Revenue', 5000), exactly('Regions', rowsOf(25, 1250))],
  },
  {
    Name: 'More units than were ever sold are refused by the check of the workbook, whatever their price is',
    Status: 'Failed',
    Inputs: [caseInput('Units', 5000), caseInput('Price', 1)],
    Expected: [],
  },
  {
    Name: 'Price of last year',
    Status: 'Succeeded',
    Inputs: [caseInput('Units', 10), caseInput('Price', 48.5)],
    Expected: [exactly('Revenue', 484.95), exactly('Regions', rowsOf(2.5, 121.2))],
  },
];

const limitCase: TestCaseContent = {
  Name: 'Companies of an earlier year',
  Status: 'Succeeded',
  Inputs: [caseInput('Factor', 2)],
  Expected: [
    exactly('Very large', 2.4e300),
    exactly('Unbroken', 'y'.repeat(200)),
    exactly(
      'Companies',
      Array.from({ length: 120 }, (_, row) => [`Company ${row + 1}`, ...Array(23).fill(0)]),
    ),
  ],
};

export async function addTestBeds(portal: BenchPortal, revenue: number, limits: number): Promise<void> {
  const call = (path: string, body: object): Promise<unknown> => portal.call('POST', `/api/activities/${path}`, body);
  for (const content of revenueCases) await call('testcase', { ActivityId: revenue, Id: null, ...content });
  await call('testcase', { ActivityId: limits, Id: null, ...limitCase });
  const Checks = [
    { Name: 'Regions make the whole', Expression: 'SUM(Regions[Revenue]) = Revenue', Tolerance: 0.005 },
    { Name: 'A margin is less than one', Expression: 'Margin < 1', Tolerance: 0 },
    { Name: 'Hardly anything is sold', Expression: 'SUM(Regions[Units]) < 100', Tolerance: 0 },
  ];
  await call('testbed', { ActivityId: revenue, MustPass: true, Checks });
  for (const ActivityId of [revenue, limits]) await call('testbed/replay', { ActivityId, CaseId: null });
  await call('testcase', { ActivityId: revenue, Id: null, ...revenueCases[0]!, Name: 'Not replayed yet' });
  const fields = {
    Id: String(revenue),
    ChangeDescription: 'Revenue after the discount of spring, which takes three per cent',
  };
  // The portal refuses this workbook, but stores it.
  await portal
    .upload(fields, 'Weekly revenue with discount.xlsx', await buildWorkbook(revenueBook(0.97)))
    .catch((error: unknown) => {
      if (!String(error).includes('not published')) throw error;
    });
}

/** Some rows of the sheet fail, because they sell too much. */
const rowsOfBatch = (count: number): string =>
  [
    'Region,Units,Price',
    ...Array.from(
      { length: count },
      (_, at) => `${['North', 'South', 'East', 'West'][at % 4]},${at % 9 === 8 ? 2000 : 40 + at},49.9`,
    ),
  ].join('\r\n');

/** Rows of which some have invalid values. */
export const BAD_ROWS = ['Region,Units,Price', 'North,12,49.9', 'Nowhere,many,49.9', 'South,,x', 'East,7,50'].join(
  '\r\n',
);

export async function addBatches(portal: BenchPortal, activity: number): Promise<void> {
  const start = async (name: string, content: string, OnlyGood: boolean): Promise<void> => {
    const { Id } = await check(portal, activity, name, content);
    await portal.call('POST', '/api/activities/batch/start', { Id, OnlyGood });
  };
  await start('Branches of last week.csv', rowsOfBatch(36), false);
  await start(`${'A name that somebody gave a file without thinking of who reads it '.repeat(2)}.csv`, BAD_ROWS, true);
  for (;;) {
    const { Batches } = await portal.call<BatchPage>('GET', `/api/activities/batches/${activity}`);
    if (Batches.every(({ RunningChildRuns }: Batch) => RunningChildRuns === 0)) return;
    await pause(POLL_INTERVAL_MS);
  }
}

async function check(portal: BenchPortal, activity: number, name: string, content: string): Promise<CheckedBatch> {
  const form = new FormData();
  form.set('file', new Blob([content]), name);
  const url = `${portal.address}/api/activities/batch/upload/${activity}`;
  const answer = await fetch(url, { method: 'POST', headers: { ...portal.headers }, body: form });
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()) as CheckedBatch;
}
