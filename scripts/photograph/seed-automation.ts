/**
 * Seeds automation and what users view: schedules around holidays, triggers of each kind and alerts with their
 * outcomes; test cases, batches and dashboards. Events of past weeks are inserted directly into the database.
 */
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { mkdirSync } from 'node:fs';
import type { Activity } from '#shared/contract/activities.ts';
import { buildWorkbook, type WorkbookSpec } from '#test/support/build-workbook.ts';
import type { BenchPortal } from '../bench/portal.ts';
import { limitsBook, revenueBook } from './seed-automation-books.ts';
import { addDashboards } from './seed-dashboards.ts';
import { addAlerts } from './seed-alerts.ts';
import { addApprovals } from './seed-approvals.ts';
import { addSchedules, addTriggers } from './seed-schedules.ts';
import { addBatches, addTestBeds } from './seed-test-bed.ts';

export interface AutomationSeed {
  /** The activity with all of that, and the one with results at their limits. */
  revenue: number;
  limits: number;
  followedOutput: number;
  checklist: number;
  calendar: number;
  firing: number;
  testCase: number;
  dashboards: { usual: number; limits: number; token: string };
}

/** Returns the folder that the file triggers watch. */
export function inboxFolder(): string {
  const folder = join(tmpdir(), 'runsheet-photograph-inbox');
  mkdirSync(folder, { recursive: true });
  return folder;
}

export async function addAutomation(
  portal: BenchPortal,
  { busy, people, run }: { busy: readonly Activity[]; people: readonly number[]; run: number },
): Promise<AutomationSeed> {
  const revenue = await publish(portal, 'Weekly revenue', revenueBook(1));
  const limits = await publish(portal, 'Figures at their limits', limitsBook());
  await startOnce(portal, limits);
  await startOnce(portal, limits);
  const [first, table, choices] = busy as [Activity, Activity, Activity];
  // Everybody may see the form and the figures of this activity.
  await portal.call('POST', `/api/rights/sk.RunActivity/internet/grant/Id/${first.Id}`);
  const checklist = await addApprovals(portal, revenue);
  await addTestBeds(portal, revenue.Id, limits.Id);
  await addBatches(portal, revenue.Id);
  const calendar = await addSchedules(portal, revenue, run);
  await addTriggers(portal, revenue, run);
  const firing = await addAlerts(portal, revenue.Id, people, run);
  const dashboards = await addDashboards(portal, { busy: first, table, choices, limits, checklist, people });
  const { Id: testCase } = (await portal.database.knex('TestCases').where('ActivityId', limits.Id).first('Id')) as {
    Id: number;
  };
  const ids = { revenue: revenue.Id, limits: limits.Id, followedOutput: first.Outputs[0]!.Id };
  return { ...ids, checklist, calendar, firing, testCase, dashboards };
}

async function publish(portal: BenchPortal, Name: string, book: WorkbookSpec): Promise<Activity> {
  const fields = {
    Id: '0',
    Name,
    Schema: 'Finance',
    SingleRun: 'false',
    Group: 'Figures',
    ChangeDescription: 'First version',
  };
  const { Id } = await portal.upload(fields, `${Name}.xlsx`, await buildWorkbook(book));
  return portal.call<Activity>('GET', `/api/activities/details/${Id}`);
}

async function startOnce(portal: BenchPortal, { Id, Version, Inputs }: Activity): Promise<void> {
  const values = Inputs.map((input) => ({ ActivityParameterId: input.Id, Value: input.Info.DefaultValue }));
  const start = { ActivityId: Id, ActivityVersion: Version, UniqueId: null, Inputs: values };
  await portal.call('POST', '/api/activities/start', start, { ...portal.headers, prefer: 'wait=60' });
}
