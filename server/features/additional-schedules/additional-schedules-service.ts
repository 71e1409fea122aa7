/**
 * Schedules besides the daily one, for people who may edit what they start. server/automation/schedules/additional starts
 * what is due.
 */
import type { Knex } from 'knex';
import { AppError } from '#server/base/app-error.ts';
import type { Person } from '#server/base/person.ts';
import { createOnce } from '#server/access/create-once.ts';
import { recordEdit, revisionOf, revisionsOf } from '#server/access/edits.ts';
import type { Database } from '#server/db/database.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { actorOf } from '#server/access/actor.ts';
import { recordActions } from '#server/access/audit/record-actions.ts';
import { NEVER } from '#server/automation/schedules/schedule-occurrences.ts';
import { databaseTime } from '#server/automation/schedules/scheduler.ts';
import { resolveSuppliedInputs } from '#server/automation/schedules/additional/schedule-inputs.ts';
import type { TimetableRow } from '#server/automation/schedules/additional/schedule-row.ts';
import { inputsOf, readCalendar, ruleOf } from '#server/automation/schedules/additional/schedule-rows.ts';
import { occurrencesOf } from '#server/automation/schedules/additional/occurrences.ts';
import { pendingRun } from '#server/automation/schedules/additional/start-occurrence.ts';
import type { SecurityActionType } from '#shared/contract/security.ts';
import {
  MAX_ADDITIONAL_SCHEDULES,
  type AdditionalSchedule,
  type AdditionalScheduleList,
  type SchedulePreview,
  type SchedulePreviewBody,
  type AdditionalScheduleUpdate,
} from '#shared/contract/additional-schedules.ts';
import { checkInputs, checkRetries, checkTimes } from './additional-schedule-checks.ts';
import type { ScheduleOwners } from './schedule-owners-service.ts';
import { previewOf, additionalScheduleView } from './additional-schedule-views.ts';
import {
  countAdditionalSchedules,
  deleteAdditionalSchedule,
  findAdditionalSchedule,
  insertAdditionalSchedule,
  listOccurrences,
  listAdditionalSchedules,
  settleRuns,
  updateAdditionalSchedule,
  type OccurrenceRow,
  type StoredSchedule,
  type AdditionalScheduleColumns,
} from './additional-schedules-repository.ts';

/** A person and the IP address they call from, for the log of security actions. */
export interface Caller {
  person: Person;
  address: string;
}

export interface AdditionalSchedulesService {
  list(person: Person, ownerId: number): Promise<AdditionalScheduleList>;
  preview(person: Person, body: SchedulePreviewBody): Promise<SchedulePreview>;
  /** @param UniqueId see createOnce */
  save(caller: Caller, body: AdditionalScheduleUpdate, UniqueId: string | null): Promise<AdditionalSchedule>;
  delete(caller: Caller, id: number): Promise<void>;
  pause(caller: Caller, id: number): Promise<void>;
  resume(caller: Caller, id: number): Promise<void>;
}

const SHOWN_OCCURRENCES = 10;
const KEY_LENGTH = 100;

const notFound = (): AppError => new AppError('scheduleNotFound', 404, 'There is no schedule');

// oxlint-disable-next-line max-lines-per-function -- the calls of one service, each a few lines
export function createAdditionalSchedulesService(
  database: Database,
  owners: ScheduleOwners,
  serverZone: string,
): AdditionalSchedulesService {
  const { knex } = database;
  const { column } = owners;

  async function requireSchedule(person: Person, id: number): Promise<StoredSchedule> {
    const row = await findAdditionalSchedule(knex, column, id);
    if (!row) throw notFound();
    await owners.requireEdit(person, row[column]!);
    return row;
  }

  /** Throws an AppError 409 if the schedule could not start as that user at that time. */
  async function requireStartable(row: Omit<AdditionalScheduleColumns, 'NextTime'>, time: Date): Promise<void> {
    const calendar = await readCalendar(knex, row.CalendarId);
    const inputs = resolveSuppliedInputs(inputsOf(row), time, ruleOf(row, calendar));
    const refusal = inputs.refused === null ? await owners.refusal(row[column]!, row.UserId, inputs.supplied) : inputs;
    if (refusal) throw new AppError('cannotRun', 409, refusal.refused);
  }

  async function nextTime(db: Knex, row: Pick<TimetableRow, 'PlanText' | 'TimeZone' | 'HolidayRule' | 'CalendarId'>) {
    const rule = ruleOf(row, await readCalendar(db, row.CalendarId));
    return occurrencesOf(rule).next(await databaseTime(db, database)) ?? NEVER;
  }

  /** Changes a schedule while its row is locked, which prevents servers from starting it, and logs the change. */
  async function change(
    caller: Caller,
    row: StoredSchedule,
    Action: SecurityActionType,
    work: (trx: Knex.Transaction) => Promise<void>,
  ): Promise<void> {
    await inTransaction(knex, async (trx) => {
      // Also a pause, because saving a form that was opened before would resume the schedule.
      await recordEdit(trx, { table: 'Timetables', key: row.Id }, { person: caller.person, Revision: null });
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
    row: AdditionalScheduleColumns,
    [body, key]: [AdditionalScheduleUpdate, string | null],
  ): Promise<number> {
    const UniqueId = body.Id === 0 ? key : null;
    const creation = { UserId: caller.person.UserId, UniqueId, RecordTable: 'Timetables', content: [column, body] };
    return createOnce(database, creation, async (trx) => {
      let { Id } = body;
      if (Id === 0) {
        if ((await countAdditionalSchedules(trx, column, row[column]!)) >= MAX_ADDITIONAL_SCHEDULES)
          throw new AppError(
            'tooManySchedules',
            409,
            `There are already ${MAX_ADDITIONAL_SCHEDULES} schedules: delete one first`,
          );
        Id = await insertAdditionalSchedule(trx, row);
      } else {
        await recordEdit(trx, { table: 'Timetables', key: Id }, { person: caller.person, Revision: body.Revision });
        await lock(trx, Id);
        await updateAdditionalSchedule(trx, Id, row);
      }
      await record(trx, caller, 'SaveSchedule', { ...row, UserName: caller.person.UserName });
      return Id;
    });
  }

  /** Adds the run that a waiting schedule waits for. Few schedules wait. */
  async function viewOf(
    row: StoredSchedule,
    occurrences: readonly OccurrenceRow[],
    Revision: number,
  ): Promise<AdditionalSchedule> {
    return additionalScheduleView(row, column, {
      Revision,
      occurrences,
      blockingRunId: row.IsWaiting ? await pendingRun(knex, row) : null,
    });
  }

  async function view(id: number): Promise<AdditionalSchedule> {
    const Revision = await revisionOf(knex, { table: 'Timetables', key: id });
    const row = await findAdditionalSchedule(knex, column, id);
    if (!row) throw notFound();
    return viewOf(row, await listOccurrences(knex, [id], SHOWN_OCCURRENCES), Revision);
  }

  return {
    list: async (person, ownerId) => {
      const { Name: OwnerName } = await owners.requireEdit(person, ownerId);
      const revisionBy = await revisionsOf(knex, 'Timetables', knex('Timetables').where(column, ownerId).pluck('Id'));
      const [rows, asked] = await Promise.all([
        listAdditionalSchedules(knex, column, ownerId),
        owners.askedInputs(person, ownerId),
      ]);
      const ids = rows.map(({ Id }) => Id);
      const occurrences = Map.groupBy(
        await listOccurrences(knex, ids, SHOWN_OCCURRENCES),
        ({ TimetableId }) => TimetableId,
      );
      const Items: AdditionalSchedule[] = [];
      for (const row of rows) Items.push(await viewOf(row, occurrences.get(row.Id) ?? [], revisionBy(row.Id)));
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
      if (body.Id !== 0 && (await findAdditionalSchedule(knex, column, body.Id))?.[column] !== body.OwnerId)
        throw notFound();
      const row = columnsOf(body, column, person.UserId);
      // Reports problems now instead of at the scheduled time.
      await requireStartable(row, await databaseTime(knex, database));
      const NextTime = await nextTime(knex, row);
      return view(await store(caller, { ...row, NextTime }, [body, UniqueId]));
    },
    delete: async (caller, id) => {
      const row = await requireSchedule(caller.person, id);
      await change(caller, row, 'DeleteSchedule', (trx) => deleteAdditionalSchedule(trx, id));
    },
    pause: async (caller, id) => {
      const row = await requireSchedule(caller.person, id);
      if (row.PausedTime !== null) return;
      await change(caller, row, 'PauseSchedule', async (trx) => {
        const PausedTime = await databaseTime(trx, database);
        await updateAdditionalSchedule(trx, id, { PausedTime, PausedReason: null, IsWaiting: false, NextTime: NEVER });
        await settleRuns(trx, column, row, PausedTime);
      });
    },
    resume: async (caller, id) => {
      const row = await requireSchedule(caller.person, id);
      if (row.PausedTime === null) return;
      await requireStartable(row, await databaseTime(knex, database));
      await change(caller, row, 'ResumeSchedule', async (trx) => {
        const NextTime = await nextTime(trx, row);
        await updateAdditionalSchedule(trx, id, { PausedTime: null, PausedReason: null, IsWaiting: false, NextTime });
      });
    },
  };
}

/** Saving a paused schedule resumes it, as the person who saves it. */
function columnsOf(body: AdditionalScheduleUpdate, column: ScheduleOwners['column'], UserId: number) {
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
