/**
 * Data of a company that has used the portal for a quarter of a year: 300 activities in five schemas, 500 users in 20
 * roles, and 3,000 runs spread over 90 days. The activities are uploaded and their first runs calculated in the usual
 * way. The other runs are inserted directly into the database. Each has the values of a calculated run with different
 * numbers. Every execution produces the same numbers.
 */
import type { Activity } from '#shared/contract/activities.ts';
import type { StartResult } from '#shared/contract/runs.ts';
import { buildWorkbook } from '#test/support/build-workbook.ts';
import { seededRandom } from '#test/support/seeded-random.ts';
import type { BenchPortal } from '../bench/portal.ts';
import { addAutomation, type AutomationSeed } from './seed-automation.ts';
import { addWorkflows, type WorkflowSeed } from './seed-workflows.ts';
import { addPeople } from './seed-people.ts';
import { addReview, type ReviewSeed } from './seed-review.ts';
import { addRuns, type RunSeed } from './seed-runs.ts';
import { AREAS, PLACES, THINGS, workbookOf } from './seed-workbooks.ts';

const SEED = { activities: 300, users: 500, runs: 3000, days: 90 };

/** Number of activities with many runs. The others run occasionally. */
const BUSY = 12;
const SCHEDULED = 25;
const UPLOAD_CONCURRENCY = 4;

export type LargeSeed = RunSeed & WorkflowSeed & ReviewSeed & { automation: AutomationSeed };

/** @param portal a portal with the samples */
export async function fillLarge(portal: BenchPortal): Promise<LargeSeed> {
  const { busy, people, ...seeded } = await fillRuns(portal);
  const chained = await addWorkflows(portal, busy);
  const reviewed = await addReview(portal, busy);
  const automation = await addAutomation(portal, { busy, people, run: seeded.run });
  await portal.database.knex.raw('analyze');
  return { ...seeded, ...chained, ...reviewed, automation };
}

/** Also returns the activities with many runs, and the users. */
async function fillRuns(portal: BenchPortal): Promise<RunSeed & { busy: Activity[]; people: number[] }> {
  const source = seededRandom(20_261_001);
  const random = (): number => source.between(0, 999_999) / 1_000_000;
  for (const [Name, DisplayName] of AREAS)
    await portal.call('POST', '/api/admin/schemas/create', { Name, DisplayName });
  const activities = await uploadAll(portal);
  const people = await addPeople(portal.database, SEED.users, random);
  const busy = activities.slice(0, BUSY);
  for (const activity of busy) await runOnce(portal, activity);
  const seeded = await addRuns(portal.database, { activities, busy, people, random, runs: SEED.runs, days: SEED.days });
  await schedule(portal, activities.slice(0, SCHEDULED));
  return { ...seeded, busy, people };
}

async function uploadAll(portal: BenchPortal): Promise<Activity[]> {
  const names = PLACES.flatMap((place) => THINGS.map((thing) => ({ place, thing }))).slice(0, SEED.activities);
  const made: Activity[] = [];
  for (let from = 0; from < names.length; from += UPLOAD_CONCURRENCY) {
    const uploads = names.slice(from, from + UPLOAD_CONCURRENCY).map(async ({ place, thing }, index) => {
      const bytes = await buildWorkbook(workbookOf(thing, from + index));
      const { Id } = await portal.upload(fieldsOf(place, thing, from + index), `${thing.name}.xlsx`, bytes);
      return portal.call<Activity>('GET', `/api/activities/details/${Id}`);
    });
    made.push(...(await Promise.all(uploads)));
  }
  return made;
}

function fieldsOf(place: string, thing: (typeof THINGS)[number], index: number): Record<string, string> {
  return {
    Id: '0',
    Name: `${thing.name} ${place}`.slice(0, 30),
    Schema: AREAS[thing.area]![0],
    Description: thing.description,
    SingleRun: 'false',
    IsActive: String(index % 37 !== 36),
    Group: thing.group,
    Function: index % 3 === 0 ? place : '',
    Order: '',
    MemoryCost: '0',
    ChangeDescription: 'First version',
    AcceptUnsupported: '[]',
  };
}

/** Starts a run as the form does, with the values of the workbook. */
async function runOnce(portal: BenchPortal, { Id, Version, Inputs }: Activity): Promise<void> {
  const start = {
    ActivityId: Id,
    ActivityVersion: Version,
    UniqueId: null,
    Inputs: Inputs.map((input) => ({ ActivityParameterId: input.Id, Value: input.Info.DefaultValue })),
  };
  await portal.call<StartResult>('POST', '/api/activities/start', start, { ...portal.headers, prefer: 'wait=60' });
}

async function schedule(portal: BenchPortal, activities: readonly Activity[]): Promise<void> {
  for (const [index, { Id }] of activities.entries()) {
    const TimeOfDay = ((index * 37) % 96) / 96;
    const plan = { ScheduleType: 'Daily', TimeOfDay, RetryInterval: 15, RetryCount: index % 3 };
    await portal.call('POST', '/api/activities/schedule', {
      ActivityId: Id,
      UserId: 1,
      Schedule: JSON.stringify(plan),
    });
  }
}
