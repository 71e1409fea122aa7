/**
 * Schedules besides the daily one, for people who may edit what they start. server/jobs/schedules/timetables starts
 * what is due.
 */
import type { Knex } from 'knex';
import { AppError } from '#server/base/app-error.ts';
import type { Person } from '#server/base/person.ts';
import { createOnce } from '#server/db/create-once.ts';
import type { Database } from '#server/db/database.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { actorOf } from '#server/features/security-actions/actor.ts';
import { recordActions } from '#server/features/security-actions/record-actions.ts';
import { NEVER } from '#server/jobs/schedules/schedule-slots.ts';
import { databaseTime } from '#server/jobs/schedules/scheduler.ts';
import { givenAt } from '#server/jobs/schedules/timetables/timetable-inputs.ts';
import type { TimetableRow } from '#server/db/timetable-row.ts';
import { inputsOf, readCalendar, ruleOf } from '#server/jobs/schedules/timetables/timetable-rows.ts';
import { slotsOf } from '#server/jobs/schedules/timetables/timetable-slots.ts';
import { pendingRun } from '#server/jobs/schedules/timetables/timetable-start.ts';
import type { SecurityActionType } from '#shared/contract/security.ts';
import {
  TIMETABLES_MAX,
  type Timetable,
  type TimetableList,
  type TimetablePreview,
  type TimetablePreviewBody,
  type TimetableUpdate,
} from '#shared/contract/timetables.ts';
import { checkInputs, checkRetries, checkTimes } from './timetable-checks.ts';
import type { TimetableOwners } from './timetable-owners.ts';
import { previewOf, timetableView } from './timetable-views.ts';
import {
  countTimetables,
  deleteTimetable,
  findTimetable,
  insertTimetable,
  listSlots,
  listTimetables,
  settleRuns,
  updateTimetable,
  type SlotRow,
  type StoredTimetable,
  type TimetableColumns,
} from './timetables-repository.ts';

/** A person and the IP address they call from, for the log of security actions. */
export interface Caller {
  person: Person;
  address: string;
}

export interface TimetablesService {
  list(person: Person, ownerId: number): Promise<TimetableList>;
  preview(person: Person, body: TimetablePreviewBody): Promise<TimetablePreview>;
  /** @param UniqueId see createOnce */
  save(caller: Caller, body: TimetableUpdate, UniqueId: string | null): Promise<Timetable>;
  delete(caller: Caller, id: number): Promise<void>;
  pause(caller: Caller, id: number): Promise<void>;
  resume(caller: Caller, id: number): Promise<void>;
}

const SLOTS_SHOWN = 10;
const KEY_LENGTH = 100;

const notFound = (): AppError => new AppError('scheduleNotFound', 404, 'There is no schedule');

// oxlint-disable-next-line max-lines-per-function -- the calls of one service, each a few lines
export function createTimetablesService(
  database: Database,
  owners: TimetableOwners,
  serverZone: string,
): TimetablesService {
  const { knex } = database;
  const { column } = owners;

  async function requireTimetable(person: Person, id: number): Promise<StoredTimetable> {
    const row = await findTimetable(knex, column, id);
    if (!row) throw notFound();
    await owners.requireEdit(person, row[column]!);
    return row;
  }

  /** Throws an AppError 409 if the schedule could not start as that user at that time. */
  async function requireStartable(row: Omit<TimetableColumns, 'NextTime'>, moment: Date): Promise<void> {
    const calendar = await readCalendar(knex, row.CalendarId);
    const inputs = givenAt(inputsOf(row), moment, ruleOf(row, calendar));
    const refusal = inputs.refused === null ? await owners.refusal(row[column]!, row.UserId, inputs.given) : inputs;
    if (refusal) throw new AppError('cannotRun', 409, refusal.refused);
  }

  async function nextTime(db: Knex, row: Pick<TimetableRow, 'PlanText' | 'TimeZone' | 'HolidayRule' | 'CalendarId'>) {
    const rule = ruleOf(row, await readCalendar(db, row.CalendarId));
    return slotsOf(rule).next(await databaseTime(db, database)) ?? NEVER;
  }

  /** Changes a schedule while its row is locked, which prevents servers from starting it, and logs the change. */
  async function change(
    caller: Caller,
    row: StoredTimetable,
    Action: SecurityActionType,
    work: (trx: Knex.Transaction) => Promise<void>,
  ): Promise<void> {
    await inTransaction(knex, async (trx) => {
      await lock(trx, row.Id);
      await work(trx);
      await record(trx, caller, Action, row);
    });
  }

  async function lock(trx: Knex.Transaction, id: number): Promise<void> {
    const rows = await database.dialect.lockRows(trx, {
      table: 'Timetables',
      columns: ['Id'],
      where: (query) => void query.where('Id', id),
      orderBy: [{ column: 'Id' }],
      locked: 'wait',
    });
    if (rows.length === 0) throw notFound();
  }

  async function record(
    trx: Knex.Transaction,
    { person, address }: Caller,
    Action: SecurityActionType,
    row: Pick<TimetableRow, 'Name' | 'ActivityId' | 'ChecklistId'> & { UserName: string },
  ): Promise<void> {
    const KeyColumnValue = `${row[column]}: ${row.Name}`.slice(0, KEY_LENGTH);
    const action = { Action, TargetUserName: row.UserName, KeyColumnName: column, KeyColumnValue };
    await recordActions(trx, actorOf(person, address), [action]);
  }

  async function store(
    caller: Caller,
    row: TimetableColumns,
    [body, key]: [TimetableUpdate, string | null],
  ): Promise<number> {
    const UniqueId = body.Id === 0 ? key : null;
    const creation = { UserId: caller.person.UserId, UniqueId, RecordTable: 'Timetables', content: [column, body] };
    return createOnce(database, creation, async (trx) => {
      let { Id } = body;
      if (Id === 0) {
        if ((await countTimetables(trx, column, row[column]!)) >= TIMETABLES_MAX)
          throw new AppError('tooManySchedules', 409, `There are ${TIMETABLES_MAX} schedules already`);
        Id = await insertTimetable(trx, row);
      } else {
        await lock(trx, Id);
        await updateTimetable(trx, Id, row);
      }
      await record(trx, caller, 'SaveSchedule', { ...row, UserName: caller.person.UserName });
      return Id;
    });
  }

  /** Adds the run that a waiting schedule waits for. Few schedules wait. */
  async function viewOf(row: StoredTimetable, slots: readonly SlotRow[]): Promise<Timetable> {
    return timetableView(row, column, { slots, waitsFor: row.IsWaiting ? await pendingRun(knex, row) : null });
  }

  async function view(id: number): Promise<Timetable> {
    const row = await findTimetable(knex, column, id);
    if (!row) throw notFound();
    return viewOf(row, await listSlots(knex, [id], SLOTS_SHOWN));
  }

  return {
    list: async (person, ownerId) => {
      const { Name: OwnerName } = await owners.requireEdit(person, ownerId);
      const [rows, asked] = await Promise.all([
        listTimetables(knex, column, ownerId),
        owners.askedInputs(person, ownerId),
      ]);
      const ids = rows.map(({ Id }) => Id);
      const slots = Map.groupBy(await listSlots(knex, ids, SLOTS_SHOWN), ({ TimetableId }) => TimetableId);
      const Items: Timetable[] = [];
      for (const row of rows) Items.push(await viewOf(row, slots.get(row.Id) ?? []));
      return { OwnerName, TimeZone: serverZone, Inputs: asked.Inputs, Unfillable: asked.Unfillable, Items };
    },
    preview: async (person, body) => {
      await owners.requireEdit(person, body.OwnerId);
      checkTimes(body);
      checkInputs(body, await owners.askedInputs(person, body.OwnerId));
      return previewOf(knex, body, await databaseTime(knex, database));
    },
    save: async (caller, body, UniqueId) => {
      const { person } = caller;
      await owners.requireEdit(person, body.OwnerId);
      checkTimes(body);
      checkRetries(body);
      checkInputs(body, await owners.askedInputs(person, body.OwnerId));
      if (body.CalendarId !== null && !(await readCalendar(knex, body.CalendarId)))
        throw new AppError('calendarNotFound', 404, 'There is no such holiday calendar');
      if (body.Id !== 0 && (await findTimetable(knex, column, body.Id))?.[column] !== body.OwnerId) throw notFound();
      const row = columnsOf(body, column, person.UserId);
      // Reports problems now instead of at the scheduled time.
      await requireStartable(row, await databaseTime(knex, database));
      const NextTime = await nextTime(knex, row);
      return view(await store(caller, { ...row, NextTime }, [body, UniqueId]));
    },
    delete: async (caller, id) => {
      const row = await requireTimetable(caller.person, id);
      await change(caller, row, 'DeleteSchedule', (trx) => deleteTimetable(trx, id));
    },
    pause: async (caller, id) => {
      const row = await requireTimetable(caller.person, id);
      if (row.PausedTime !== null) return;
      await change(caller, row, 'PauseSchedule', async (trx) => {
        const PausedTime = await databaseTime(trx, database);
        await updateTimetable(trx, id, { PausedTime, PausedReason: null, IsWaiting: false, NextTime: NEVER });
        await settleRuns(trx, column, row, PausedTime);
      });
    },
    resume: async (caller, id) => {
      const row = await requireTimetable(caller.person, id);
      if (row.PausedTime === null) return;
      await requireStartable(row, await databaseTime(knex, database));
      await change(caller, row, 'ResumeSchedule', async (trx) => {
        const NextTime = await nextTime(trx, row);
        await updateTimetable(trx, id, { PausedTime: null, PausedReason: null, IsWaiting: false, NextTime });
      });
    },
  };
}

/** Saving a paused schedule resumes it, as the person who saves it. */
function columnsOf(body: TimetableUpdate, column: TimetableOwners['column'], UserId: number) {
  const { OwnerId, Name, Plan, TimeZone, CalendarId, HolidayRule, Inputs } = body;
  const { RetryCount, RetryInterval, Overlap, Missed, MissedMax } = body;
  return {
    ActivityId: column === 'ActivityId' ? OwnerId : null,
    ChecklistId: column === 'ChecklistId' ? OwnerId : null,
    Name: Name.trim(),
    UserId,
    PlanText: JSON.stringify(Plan),
    InputsText: JSON.stringify(Inputs),
    TimeZone,
    CalendarId,
    HolidayRule,
    RetryCount,
    RetryInterval: RetryCount === 0 ? 0 : RetryInterval,
    Overlap,
    Missed,
    MissedMax,
    IsWaiting: false,
    PausedTime: null,
    PausedReason: null,
  };
}
