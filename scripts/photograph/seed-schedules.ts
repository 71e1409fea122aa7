/** Additional schedules around holidays and triggers of each kind, with their outcomes. */
import type { Activity } from '#shared/contract/activities.ts';
import type { AdditionalScheduleUpdate } from '#shared/contract/additional-schedules.ts';
import type { SavedTrigger, TriggerUpdate } from '#shared/contract/triggers.ts';
import { lateText, missedText, pendingText } from '#server/automation/schedules/slot-messages.ts';
import type { BenchPortal } from '../bench/portal.ts';
import { ago, LONG } from './seed-texts.ts';

/** Returns the Id of the calendar. */
export async function addSchedules(portal: BenchPortal, { Id: OwnerId }: Activity, run: number): Promise<number> {
  const year = new Date().getFullYear();
  const feasts = [
    ['01-01', 'New Year’s Day'],
    ['05-01', 'Labour Day'],
    ['10-03', 'Day of German Unity'],
    ['12-25', 'Christmas Day'],
    ['12-26', 'Boxing Day'],
  ];
  const Days = [0, 1, 2].flatMap((more) => feasts.map(([day, Name]) => ({ Day: `${year + more}-${day}`, Name })));
  const { Id: calendar } = await portal.call<{ Id: number }>('POST', '/api/holidayCalendars', {
    Id: 0,
    Name: 'Germany',
    Weekend: [6, 7],
    Days,
  });
  await portal.call('POST', '/api/holidayCalendars', {
    Id: 0,
    Name: 'Branches in the Gulf, with the days that were declared late',
    Weekend: [5, 6],
    Days: [],
  });
  const save = async (
    Name: string,
    Plan: AdditionalScheduleUpdate['Plan'],
    more: Partial<AdditionalScheduleUpdate> = {},
  ): Promise<number> => {
    const rules = {
      CalendarId: null,
      HolidayRule: 'Keep',
      RetryCount: 0,
      RetryInterval: 0,
      Overlap: 'Skip',
      Missed: 'Last',
      MissedMax: 1,
    } as const;
    const body: AdditionalScheduleUpdate = {
      Id: 0,
      OwnerId,
      Name,
      Plan,
      TimeZone: 'Europe/Berlin',
      Inputs: [],
      ...rules,
      ...more,
    };
    return (await portal.call<{ Id: number }>('POST', '/api/activities/timetables', body)).Id;
  };
  const day = { Name: 'Day', Value: null, RelativeDate: 'last month end' };
  const units = { Name: 'Units', Value: '125', RelativeDate: null };
  const weekly = await save('Every Friday', { Kind: 'Weekly', TimeOfDay: 0.75, Weekdays: [5] });
  const closing = {
    CalendarId: calendar,
    HolidayRule: 'Before',
    Inputs: [day, units],
    RetryCount: 3,
    RetryInterval: 15,
  } as const;
  await save(
    'Closing',
    { Kind: 'MonthlyBusinessDay', TimeOfDay: 0.25, BusinessDay: 2, FromEnd: true },
    { ...closing, Inputs: [day, units] },
  );
  const cron = await save(
    'Each quarter of an hour while the exchange in New York is open, but for Fridays',
    { Kind: 'Cron', Cron: '*/15 9-16 * * 1-4' },
    { TimeZone: 'America/New_York', Overlap: 'Wait', Missed: 'All', MissedMax: 5 },
  );
  const paused = await save('Set up by somebody who has left', { Kind: 'MonthlyLastDay', TimeOfDay: 0.5 });
  const PausedReason = 'The user that the schedule runs as no longer exists';
  await portal.database
    .knex('Timetables')
    .where('Id', paused)
    .update({ PausedTime: ago(3), PausedReason, NextTime: new Date('9999-12-31T00:00:00Z') });
  const occurrence = (TimetableId: number, at: number, Outcome: string, Message: string) => ({
    TimetableId,
    SlotTime: ago(at),
    Outcome,
    Message,
    RunId: Outcome === 'Started' || Outcome === 'Refused' ? run : null,
  });
  await portal.database
    .knex('TimetableSlots')
    .insert([
      occurrence(weekly, 1, 'Started', ''),
      occurrence(weekly, 8, 'Started', lateText('20/Nov/2026 18:00 (Europe/Berlin)', 'NoServer')),
      occurrence(weekly, 15, 'LeftOut', pendingText(1209)),
      occurrence(weekly, 22, 'Missed', missedText(1)),
      occurrence(weekly, 29, 'Refused', LONG.repeat(4)),
      occurrence(cron, 2, 'Missed', missedText(48)),
      occurrence(paused, 3, 'Refused', PausedReason),
    ]);
  return calendar;
}

export async function addTriggers(portal: BenchPortal, { Id: OwnerId }: Activity, run: number): Promise<void> {
  const save = async (
    Name: string,
    Plan: TriggerUpdate['Plan'],
    Inputs: TriggerUpdate['Inputs'] = [],
  ): Promise<number> => {
    const body: TriggerUpdate = { Id: 0, OwnerId, Name, Plan, Inputs, TimeZone: 'Europe/Berlin', Overlap: 'Wait' };
    return (await portal.call<SavedTrigger>('POST', '/api/activities/triggers', body)).Trigger.Id;
  };
  const from = (Name: string, From: string) => ({ Name, Value: null, RelativeDate: null, From });
  const file = await save('Rates of the day', {
    Kind: 'File',
    Folder: 'Inbox',
    Pattern: 'rates-of-*.csv',
    FileInput: null,
  });
  const hook = await save('Orders of the shop', { Kind: 'Webhook', Scheme: 'Standard' }, [
    from('Units', '/order/lines/0/units'),
    from('Price', '/order/lines/0/price'),
  ]);
  const ended = await save(
    'After the closing of all companies in all countries, however it ended, but for the last quarter',
    { Kind: 'Ended', Source: 'Activity', SourceId: 1, Outcomes: ['Succeeded', 'SucceededWarn'] },
  );
  const query = await save('New positions', {
    Kind: 'Query',
    Connection: 'Ledger',
    Sql: 'select 1',
    Minutes: 5,
    When: 'NewKey',
  });
  await portal.database
    .knex('Triggers')
    .where('Id', query)
    .update({ LookMessage: 'The database does not answer: connect ECONNREFUSED 10.0.0.17:5432' });
  await portal.database
    .knex('Triggers')
    .where('Id', ended)
    .update({
      PausedTime: ago(2),
      PausedReason: 'The user that the trigger runs as, Ada Lovelace, may not run the activity',
    });
  const event = (TriggerId: number, at: number, Outcome: string, Message: string) => ({
    TriggerId,
    Subject: `seed ${at}`,
    Time: ago(at),
    Outcome,
    Message,
    GivenText: '{}',
    FileName: TriggerId === file ? Message.split('. ')[0]! : null,
    Depth: 0,
    ActivityRunId: Outcome === 'Started' ? run : null,
  });
  // The oldest event comes first, as in production.
  await portal.database
    .knex('TriggerEvents')
    .insert([
      event(query, 4, 'Started', 'New: 9007199254740993'),
      event(ended, 2, 'LeftOut', 'Run 77 of Loan schedule: Succeeded. The trigger was paused'),
      event(hook, 0.3, 'Started', 'A call'),
      event(hook, 0.1, 'Refused', 'A call. Units: the value at /order/lines/0/units is not a number'),
      event(
        file,
        2,
        'LeftOut',
        `rates-of-${'all-branches-and-their-subsidiaries-'.repeat(4)}.csv. Run 3001, which the trigger started before, had not ended`,
      ),
      event(file, 1.3, 'Started', 'rates-of-2026-11-25.csv'),
      event(file, 1.2, 'LeftOut', 'rates-of-2026-11-25.csv. Seen before: the same file with the same content'),
      event(file, 0.2, 'Started', 'rates-of-2026-11-26.csv'),
    ]);
}
