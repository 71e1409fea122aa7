import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AdditionalSchedule, AdditionalScheduleUpdate } from '#shared/contract/additional-schedules.ts';
import { testApp, type TestApp } from '#test/support/app.ts';
import { input } from '#test/support/portal.ts';
import { EMPTY_DEFINITION, insertActivity } from '#test/support/runs.ts';
import { bearer, createUser, signedInUser, signIn } from '#test/support/users.ts';

type Signed = Awaited<ReturnType<typeof signedInUser>>;

let app: TestApp;
let editor: Signed;
let other: Signed;
let runner: Signed;
let admin: Signed;
let ActivityId: number;

beforeAll(async () => {
  app = await testApp({ settings: { timeZone: 'Europe/Berlin' } });
  editor = await signedInUser(app, ['sk.RunActivity', 'sk.EditActivity']);
  other = await signedInUser(app, ['sk.RunActivity', 'sk.EditActivity']);
  runner = await signedInUser(app, ['sk.RunActivity']);
  const made = await createUser(app, { isUserAdmin: true });
  admin = { ...made, headers: bearer(await signIn(app, made)) };
  const inputs = [
    input('Day', { CellUsages: ['Date'] }),
    input('Rate', { AllowDefaultValue: true, DefaultValue: '2' }),
  ];
  const definition = { ...EMPTY_DEFINITION, inputs };
  ActivityId = await insertActivity(app.database.knex, { UserId: editor.UserId, Name: 'Close', definition });
});
afterAll(() => app.close());

async function post(url: string, payload?: object, { headers }: Signed = editor) {
  const answer = await app.http.inject({ method: 'POST', url: `/api/${url}`, headers, payload });
  return { status: answer.statusCode, body: answer.json() };
}
async function get(url: string, { headers }: Signed = editor) {
  const answer = await app.http.inject({ url: `/api/${url}`, headers });
  return { status: answer.statusCode, body: answer.json() };
}
const PLAN: AdditionalScheduleUpdate['Plan'] = { Kind: 'Weekly', Weekdays: [1], TimeOfDay: 0.25 };
const body = (more: Partial<AdditionalScheduleUpdate> = {}): AdditionalScheduleUpdate => ({
  Id: 0,
  OwnerId: ActivityId,
  Name: 'Mondays',
  Plan: PLAN,
  TimeZone: 'America/New_York',
  CalendarId: null,
  HolidayRule: 'Keep',
  Inputs: [{ Name: 'Day', Value: null, RelativeDate: 'last month end' }],
  RetryCount: 1,
  RetryInterval: 5,
  Overlap: 'Wait',
  Missed: 'All',
  MissedMax: 3,
  ...more,
});
const save = (more: Partial<AdditionalScheduleUpdate> = {}, user = editor) =>
  post('activities/timetables', body(more), user);
const list = async (): Promise<AdditionalSchedule[]> =>
  (await get(`activities/timetables/${ActivityId}`)).body.result.Items;
const lastAction = async () => {
  const row = await app.database.knex('SecurityActions').orderBy('Id', 'desc').first();
  return [row.Action, row.UserName, row.TargetUserName, row.KeyColumnValue];
};

test('several are created, changed, listed, paused, resumed and deleted, and the security log records it', async () => {
  const { status, body: made } = await save();
  expect([status, made.message]).toEqual([200, undefined]);
  const { Id, NextTime } = made.result as AdditionalSchedule;
  expect(made.result).toMatchObject({
    ...body(),
    Id,
    Text: 'Weekly on Monday at 06:00 (America/New_York)',
    UserId: editor.UserId,
    PausedTime: null,
    Slots: [],
  });
  expect(new Date(NextTime!).getUTCDay()).toBe(1);
  expect(await lastAction()).toEqual(['SaveSchedule', editor.UserName, editor.UserName, `${ActivityId}: Mondays`]);
  await save({
    Name: 'Month ends',
    Plan: { Kind: 'MonthlyBusinessDay', BusinessDay: 1, FromEnd: true, TimeOfDay: 0.5 },
  });
  expect((await list()).map(({ Name }) => Name)).toEqual(['Mondays', 'Month ends']);
  expect((await save({ Id, Name: 'Tuesdays', Plan: { ...PLAN, Weekdays: [2] } as never }, other)).status).toBe(200);
  expect((await list())[0]).toMatchObject({ Id, Name: 'Tuesdays', UserId: other.UserId });
  expect((await post(`activities/timetables/pause/${Id}`)).status).toBe(200);
  expect((await list())[0]).toMatchObject({ NextTime: null, PausedReason: null });
  expect((await post(`activities/timetables/resume/${Id}`)).status).toBe(200);
  expect((await list())[0]).toMatchObject({ PausedTime: null, UserId: other.UserId });
  expect(await lastAction()).toEqual(['ResumeSchedule', editor.UserName, other.UserName, `${ActivityId}: Tuesdays`]);
  expect((await post(`activities/timetables/delete/${Id}`)).status).toBe(200);
  expect((await list()).map(({ Name }) => Name)).toEqual(['Month ends']);
  expect((await post(`activities/timetables/delete/${Id}`)).status).toBe(404);
});

test('a preview shows the next ten occurrences, by the clocks of its zone, with their dates', async () => {
  const { OwnerId, Plan: _, TimeZone, CalendarId, HolidayRule, Inputs } = body();
  const Plan = { Kind: 'MonthlyDay', Day: 31, TimeOfDay: 0.25 };
  const asked = { OwnerId, Plan, TimeZone, CalendarId, HolidayRule, Inputs };
  const { result } = (await post('activities/timetables/preview', asked)).body;
  expect(result.Moments).toHaveLength(10);
  expect(
    result.Moments.every(({ Local }: { Local: string }) => / (28|29|30|31)\/\w{3}\/20\d\d 06:00$/.test(Local)),
  ).toBe(true);
  expect(result.Moments[0].Dates).toMatchObject([{ Name: 'Day', Text: expect.stringMatching(/^(28|29|30|31)\//) }]);
  expect((await post('activities/timetables/preview', asked, runner)).status).toBe(403);
});

test.each<[string, Partial<AdditionalScheduleUpdate>, number, RegExp]>([
  ['a zone that is none', { TimeZone: 'Europe/Nowhere' }, 400, /no time zone/],
  ['an offset', { TimeZone: '+02:00' }, 400, /no time zone/],
  ['a cron text of four fields', { Plan: { Kind: 'Cron', Cron: '0 6 * *' } }, 400, /five fields/],
  [
    'a cron text with a minute that is none',
    { Plan: { Kind: 'Cron', Cron: '61 * * * *' } },
    400,
    /is not valid or too large/,
  ],
  [
    'a cron text of a day that never comes',
    { Plan: { Kind: 'Cron', Cron: '0 0 30 2 *' } },
    400,
    /such a day never occurs/,
  ],
  ['a plan of two kinds', { Plan: { ...PLAN, Day: 3 } as never }, 400, /./],
  ['weekdays that are none', { Plan: { Kind: 'Weekly', Weekdays: [8], TimeOfDay: 0 } }, 400, /./],
  ['no interval with retries', { RetryInterval: 0 }, 400, /valid Retry Interval/],
  ['a rule without a calendar', { HolidayRule: 'Skip' }, 400, /Select a holiday calendar/],
  ['a calendar that is none', { CalendarId: 9999 }, 404, /no such holiday calendar/],
  ['an unknown input', { Inputs: [{ Name: 'Nothing', Value: '1', RelativeDate: null }] }, 400, /no input Nothing/],
  ['a date of a number', { Inputs: [{ Name: 'Rate', Value: null, RelativeDate: 'today' }] }, 400, /is not a date/],
  [
    'a date that is none',
    { Inputs: [{ Name: 'Day', Value: null, RelativeDate: 'someday' }] },
    400,
    /is not a relative date/,
  ],
  ['an input that is lacking', { Inputs: [] }, 409, /Day/],
  ['a value of another kind', { Inputs: [{ Name: 'Day', Value: '"soon"', RelativeDate: null }] }, 409, /Day/],
  ['another’s schedule', { Id: 9999 }, 404, /no schedule/],
])('%s is refused', async (_, more, status, message) => {
  const answer = await save(more);
  expect([answer.status, answer.body.message]).toEqual([status, expect.stringMatching(message)]);
});

test('is for those who may edit the activity alone', async () => {
  const [{ Id }] = (await list()) as [AdditionalSchedule];
  expect((await get(`activities/timetables/${ActivityId}`, runner)).status).toBe(403);
  expect((await save({}, runner)).status).toBe(403);
  for (const action of ['delete', 'pause', 'resume']) {
    expect((await post(`activities/timetables/${action}/${Id}`, undefined, runner)).status).toBe(403);
    expect((await post(`checklists/timetables/${action}/${Id}`)).status).not.toBe(200);
  }
  expect((await list())[0]).toMatchObject({ Id, PausedTime: null });
});

test('what it starts has its values, and none where the person has lost the right', async () => {
  const { prepare } = app.scheduleStarter;
  const supplied = [{ Name: 'Day', Value: '46000' }];
  const started = await prepare(ActivityId, editor.UserId, supplied);
  expect(started).toMatchObject({ refused: null, inputs: [{ Value: '46000' }, { UseDefault: true }] });
  const leaver = await signedInUser(app);
  expect(await prepare(ActivityId, leaver.UserId, supplied)).toMatchObject({ isAboutPerson: true });
  expect(await prepare(ActivityId, editor.UserId, [])).toMatchObject({ refused: expect.stringContaining('Day') });
  expect(await prepare(ActivityId, editor.UserId, [])).not.toHaveProperty('isAboutPerson');
});

test('administrators create holiday calendars, which move future occurrences of the schedules that use them', async () => {
  const Days = [{ Day: '2027-01-01', Name: 'New Year' }];
  const calendar = { Id: 0, Name: 'Germany', Weekend: [6, 7], Days };
  expect((await post('holidayCalendars', calendar)).status).toBe(403);
  const { result } = (await post('holidayCalendars', calendar, admin)).body;
  expect((await post('holidayCalendars', calendar, admin)).status).toBe(409);
  expect((await get('holidayCalendars')).body.result).toMatchObject([
    { Name: 'Germany', DayCount: 1, ScheduleCount: 0 },
  ]);
  const CalendarId = result.Id as number;
  const Plan: AdditionalScheduleUpdate['Plan'] = { Kind: 'Daily', TimeOfDay: 0 };
  const made = (await save({ CalendarId, HolidayRule: 'Skip', Plan })).body.result as AdditionalSchedule;
  expect(made.Text).toBe('Daily at 00:00; except on non-working days of Germany (America/New_York)');
  const nextDay = new Intl.DateTimeFormat('sv-SE', { timeZone: 'America/New_York' }).format(new Date(made.NextTime!));
  const closed = { ...calendar, Id: CalendarId, Days: [...Days, { Day: nextDay, Name: 'Moving house' }] };
  expect((await post('holidayCalendars', closed, admin)).status).toBe(200);
  const moved = (await list()).find(({ Id }) => Id === made.Id)!;
  expect(Date.parse(moved.NextTime!)).toBeGreaterThan(Date.parse(made.NextTime!));
  expect((await post(`holidayCalendars/delete/${CalendarId}`, undefined, admin)).status).toBe(409);
  await post(`activities/timetables/delete/${made.Id}`);
  expect((await post(`holidayCalendars/delete/${CalendarId}`, undefined, editor)).status).toBe(403);
  expect((await post(`holidayCalendars/delete/${CalendarId}`, undefined, admin)).status).toBe(200);
  expect(await lastAction()).toMatchObject(['DeleteHolidayCalendar', admin.UserName, '', 'Germany']);
});
