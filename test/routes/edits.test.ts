/** Two people edit the same thing: the later one is told who changed it, and overwrites it only on purpose. */
import { expect, test as base } from 'vitest';
import { draftOf } from '#test/support/alert-portal.ts';
import { testApp } from '#test/support/app.ts';
import { EMPTY_DEFINITION, insertActivity } from '#test/support/runs.ts';
import { bearer, createUser, grant, signIn } from '#test/support/users.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- whatever the call answers
type Answer = { status: number; result: any; message?: string; OtherEdit?: object };
type Call = (url: string, body?: object) => Promise<Answer>;

const RIGHTS = ['sk.EditActivity', 'sk.RunActivity', 'sk.EditChecklist', 'sk.ManageRights'] as const;

const test = base
  .extend('app', { scope: 'file' }, async ({}, { onCleanup }) => {
    const app = await testApp({ settings: { webhookPrivateAddresses: ['127.0.0.0/8'] } });
    onCleanup(() => app.close());
    return app;
  })
  .extend('editors', { scope: 'file' }, async ({ app }) => {
    const signedIn = async (userName: string) => {
      const { UserId } = await createUser(app, { userName, isUserAdmin: true });
      for (const right of RIGHTS) await grant(app, UserId, right);
      const headers = bearer(await signIn(app, { UserId }));
      const call: Call = async (url, payload) => {
        const method = payload === undefined ? 'GET' : 'POST';
        const answer = await app.http.inject({ method, url: `/api/${url}`, headers, payload });
        const body: Omit<Answer, 'status'> = answer.json();
        return { status: answer.statusCode, ...body };
      };
      return { UserId, call };
    };
    return { ada: await signedIn('Ada'), grace: await signedIn('Grace') };
  })
  .extend('owners', { scope: 'file' }, async ({ app: { database }, editors: { ada } }) => {
    const { knex } = database;
    const make = (Name: string): Promise<number> =>
      insertActivity(knex, { UserId: ada.UserId, Name, definition: EMPTY_DEFINITION });
    const [source, target] = [await make('Source'), await make('Target')];
    const row = { Name: 'Close', Schema: 'Test', UserId: ada.UserId };
    const [made] = await knex('Checklists').insert(row).returning('Id');
    const checklist = made!.Id;
    await knex('ChecklistActivities').insert({ ChecklistId: checklist, Position: 0, ActivityId: source });
    return { source, target, checklist };
  });

interface Owners {
  source: number;
  target: number;
  checklist: number;
}

/** A change that differs from others by its number. */
interface Change {
  number: number;
  userId: number;
  seen: { Revision?: number };
}

/** One kind of thing that several people edit. */
interface Kind {
  /** Creates it and returns its id; absent if it always exists. */
  create?: (call: Call, owners: Owners) => Promise<number>;
  save: (call: Call, change: Change, of: Owners & { id: number }) => Promise<Answer>;
  /** Returns its Revision and what else is stored. */
  read: (call: Call, of: Owners & { id: number }) => Promise<{ Revision: number }>;
}

async function idOf(answer: Promise<Answer>): Promise<number> {
  const { status, result, message } = await answer;
  expect([status, message]).toEqual([200, undefined]);
  return result.Id ?? result.Trigger.Id;
}

const find = (items: { Id: number; Name: string; Revision: number }[], id: number) => {
  const { Revision, Name } = items.find(({ Id }) => Id === id)!;
  return { Revision, Name };
};

const daily = ({ number, userId, seen }: Change) => {
  const plan = { ScheduleType: 'Daily', TimeOfDay: number / 64, RetryCount: 0, RetryInterval: 0 };
  return { UserId: userId, Schedule: JSON.stringify(plan), ...seen };
};
const nameOf = ({ number, seen }: Change) => ({ Name: `Change ${number}`, ...seen });

const SCHEDULE = {
  Id: 0,
  Name: 'New',
  Plan: { Kind: 'Weekly', Weekdays: [1], TimeOfDay: 0.25 },
  TimeZone: 'Europe/Berlin',
  CalendarId: null,
  HolidayRule: 'Keep',
  Inputs: [],
  RetryCount: 0,
  RetryInterval: 0,
  Overlap: 'Start',
  Missed: 'None',
  MissedMax: 1,
};
const TRIGGER = {
  Id: 0,
  Name: 'New',
  Plan: { Kind: 'Webhook', Scheme: 'Standard' },
  Inputs: [],
  TimeZone: 'Europe/Berlin',
  Overlap: 'Start',
};
const RECEIVERS = { Roles: [], UserIds: [1], ByBell: true, ByMail: false };
const ALERT = draftOf({ Receivers: RECEIVERS });
const RULE = {
  Id: null,
  IsActive: true,
  Scope: 'All',
  ScopeValue: '',
  Condition: { Kind: 'Outcome', Statuses: ['Failed'] },
  Receivers: RECEIVERS,
  Webhooks: [],
};
const WEBHOOK = {
  Name: 'New',
  Url: 'http://127.0.0.1:1/hook',
  OnRunEnded: true,
  OnVersionPublished: false,
  OnApprovalAsked: false,
  IsActive: true,
  ActivityIds: [],
};
const CALENDAR = { Id: 0, Name: 'New', Weekend: [7], Days: [] };
const RIGHT = 'ApproveBudgets';
const PERIODS = { RunDataRetention: null, RunInputsRetention: null };
const linkOf = ({ source, target }: Owners) => ({ ActivityId: source, LinkedActivityId: target, LinkInfo: '[]' });

const KINDS: Record<string, Kind> = {
  'the daily schedule of an activity': {
    save: (call, change, { source }) => call('activities/schedule', { ActivityId: source, ...daily(change) }),
    read: async (call, { source }) => (await call(`activities/schedule/${source}`)).result,
  },
  'the daily schedule of a checklist': {
    save: (call, change, { checklist }) => call('checklists/schedule', { ChecklistId: checklist, ...daily(change) }),
    read: async (call, { checklist }) => (await call(`checklists/schedule/${checklist}`)).result,
  },
  'the retention of an activity': {
    save: (call, { number, seen }, { source }) =>
      call('activities/runRetention', { ActivityId: source, RunRetention: number, ...PERIODS, ...seen }),
    read: async (call, { source }) => (await call(`activities/runRetention/${source}`)).result,
  },
  'the retention of a checklist': {
    save: (call, { number, seen }, { checklist }) =>
      call('checklists/runRetention', { ChecklistId: checklist, RunRetention: number, ...seen }),
    read: async (call, { checklist }) => (await call(`checklists/runRetention/${checklist}`)).result,
  },
  'an additional schedule': {
    create: (call, { source }) => idOf(call('activities/timetables', { ...SCHEDULE, OwnerId: source })),
    save: (call, change, { id, source }) =>
      call('activities/timetables', { ...SCHEDULE, Id: id, OwnerId: source, ...nameOf(change) }),
    read: async (call, { id, source }) => find((await call(`activities/timetables/${source}`)).result.Items, id),
  },
  'a trigger': {
    create: (call, { source }) => idOf(call('activities/triggers', { ...TRIGGER, OwnerId: source })),
    save: (call, change, { id, source }) =>
      call('activities/triggers', { ...TRIGGER, Id: id, OwnerId: source, ...nameOf(change) }),
    read: async (call, { id, source }) => find((await call(`activities/triggers/${source}`)).result.Items, id),
  },
  'a holiday calendar': {
    create: (call) => idOf(call('holidayCalendars', CALENDAR)),
    save: (call, change, { id }) => call('holidayCalendars', { ...CALENDAR, Id: id, ...nameOf(change) }),
    read: async (call, { id }) => (await call(`holidayCalendars/${id}`)).result,
  },
  'a custom right': {
    create: async (call) => (await call('rights/create', { Name: RIGHT, Description: 'New' })).status,
    save: (call, { number, seen }) => call('rights/update', { Name: RIGHT, Description: `Change ${number}`, ...seen }),
    read: async (call) => (await call('rights')).result.Items.find(({ Name }: { Name: string }) => Name === RIGHT),
  },
  'an alert': {
    create: (call, { source }) => idOf(call('activities/alerts/save', { ActivityId: source, ...ALERT })),
    save: (call, change, { id, source }) =>
      call('activities/alerts/save', { ActivityId: source, ...ALERT, Id: id, ...nameOf(change) }),
    read: async (call, { id, source }) => find((await call(`activities/alerts/${source}`)).result.Items, id),
  },
  'a webhook': {
    create: (call) => idOf(call('admin/webhooks/create', WEBHOOK)),
    save: (call, change, { id }) => call('admin/webhooks/update', { ...WEBHOOK, Id: id, ...nameOf(change) }),
    read: async (call, { id }) => find((await call('admin/webhooks')).result.Items, id),
  },
  'how the runs of an activity are queued': {
    save: (call, { number, seen }, { source }) =>
      call(`activities/queueing/${source}`, { Pool: `pool${number}`, Priority: 'Low', RunsAtOnce: null, ...seen }),
    read: async (call, { source }) => (await call(`activities/queueing/${source}`)).result,
  },
  'the rules of a test bed': {
    save: (call, { number, seen }, { source }) =>
      call('activities/testbed', { ActivityId: source, MustPass: number % 2 === 1, Checks: [], ...seen }),
    read: async (call, { source }) => (await call(`activities/testbed/${source}`)).result,
  },
  'a linkage': {
    create: (call, owners) => idOf(call('activities/writelink', { Id: 0, ...linkOf(owners), Name: 'New' })),
    save: (call, change, of) => call('activities/writelink', { Id: of.id, ...linkOf(of), ...nameOf(change) }),
    read: async (call, { id }) => (await call(`activities/linkdetails/${id}`)).result,
  },
};

const NAMED = /^Grace changed this on \d{4}-\d\d-\d\d \d\d:\d\d UTC, after you opened it\. Nothing was saved\.$/;

test.for(Object.entries(KINDS))(
  '%s keeps what somebody else has saved, unless the person overwrites it on purpose',
  async ([, { create, save, read }], { editors: { ada, grace }, owners }) => {
    const of = { ...owners, id: (await create?.(ada.call, owners)) ?? 0 };
    const mine = (number: number, seen: Change['seen']) => save(ada.call, { number, userId: ada.UserId, seen }, of);
    const { Revision } = await read(ada.call, of);
    const theirs = await save(grace.call, { number: 1, userId: grace.UserId, seen: { Revision } }, of);
    expect([theirs.status, theirs.message]).toEqual([200, undefined]);
    const stored = await read(ada.call, of);
    expect(stored.Revision).toBe(Revision + 1);
    const late = await mine(2, { Revision });
    expect(late).toMatchObject({
      status: 409,
      message: expect.stringMatching(NAMED),
      modelState: { Revision: [late.message] },
      OtherEdit: { Revision: Revision + 1, UserFullName: 'Grace', Time: expect.any(String) },
    });
    expect(await read(ada.call, of)).toEqual(stored);
    expect((await mine(2, { Revision: Revision + 1 })).status).toBe(200);
    const overwritten = await read(ada.call, of);
    expect(overwritten).not.toEqual({ ...stored, Revision: Revision + 2 });
    // Calls without a Revision behave as before.
    expect((await mine(3, {})).status).toBe(200);
    expect((await read(ada.call, of)).Revision).toBe(Revision + 3);
  },
);

test('an alert rule that its owner edits in two windows keeps the first change', async ({ editors: { ada } }) => {
  const id = await idOf(ada.call('alerts/rules/save', { ...RULE, Name: 'New' }));
  const read = async () => (await ada.call(`alerts/rules/${id}`)).result.Rule;
  const { Revision } = await read();
  const save = (Name: string) => ada.call('alerts/rules/save', { ...RULE, Id: id, Name, Revision });
  expect((await save('First')).status).toBe(200);
  expect((await save('Second')).status).toBe(409);
  expect((await read()).Name).toBe('First');
});

test('of two edits at the same time, one is refused', async ({ editors: { ada, grace }, owners: { target } }) => {
  const body = { ActivityId: target, ...PERIODS, Revision: 0 };
  const answers = await Promise.all([
    ada.call('activities/runRetention', { ...body, RunRetention: 10 }),
    grace.call('activities/runRetention', { ...body, RunRetention: 20 }),
  ]);
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
});

test('a form that was opened before the schedule was deleted does not bring it back', async ({
  editors: { ada, grace },
  owners: { target },
}) => {
  const save = (Revision: number) => {
    const change = { number: 1, userId: ada.UserId, seen: { Revision } };
    return ada.call('activities/schedule', { ActivityId: target, ...daily(change) });
  };
  const { Revision } = (await save(0)).result;
  expect((await grace.call(`activities/schedule/delete/${target}`, {})).status).toBe(200);
  expect((await save(Revision)).status).toBe(409);
  expect((await ada.call(`activities/schedule/${target}`)).result.Schedule).toBeNull();
});
