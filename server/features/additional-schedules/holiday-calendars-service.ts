/** Holiday calendars: managed by administrators, used by schedules. */
import type { Knex } from 'knex';
import { AppError } from '#server/base/app-error.ts';
import type { Database } from '#server/db/database.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { actorOf } from '#server/access/actor.ts';
import { recordActions } from '#server/access/audit/record-actions.ts';
import { recordEdit, revisionOf, type EditedRecord } from '#server/access/edits.ts';
import { NEVER } from '#server/automation/schedules/schedule-occurrences.ts';
import { databaseTime } from '#server/automation/schedules/scheduler.ts';
import { readCalendar, ruleOf } from '#server/automation/schedules/additional/schedule-rows.ts';
import { occurrencesOf } from '#server/automation/schedules/additional/occurrences.ts';
import type {
  CalendarFileDays,
  HolidayCalendar,
  HolidayCalendarEntry,
  HolidayCalendarUpdate,
} from '#shared/contract/holiday-calendars.ts';
import type { SecurityActionType } from '#shared/contract/security.ts';
import {
  findCalendar,
  insertCalendar,
  listCalendars,
  listDays,
  listSchedulesUsingCalendar,
  removeCalendar,
  replaceDays,
  updateCalendar,
} from './holiday-calendars-repository.ts';
import { readCalendarFile } from './read-calendar-file.ts';
import type { Caller } from './additional-schedules-service.ts';

export interface HolidayCalendarsService {
  list(): Promise<HolidayCalendarEntry[]>;
  get(id: number): Promise<HolidayCalendar>;
  save(caller: Caller, calendar: HolidayCalendarUpdate): Promise<HolidayCalendar>;
  delete(caller: Caller, id: number): Promise<void>;
  read(text: string): Promise<CalendarFileDays>;
}

const DAY_MS = 86_400_000;

const notFound = (): AppError => new AppError('calendarNotFound', 404, 'There is no such holiday calendar');
const calendarOf = (id: number): EditedRecord => ({ table: 'HolidayCalendars', key: id });
const weekdays = (text: string): number[] => text.split('').map(Number);

export function createHolidayCalendarsService(database: Database): HolidayCalendarsService {
  const { knex, dialect } = database;

  async function get(id: number): Promise<HolidayCalendar> {
    const Revision = await revisionOf(knex, calendarOf(id));
    const row = await findCalendar(knex, id);
    if (!row) throw notFound();
    return { Id: id, Name: row.Name, Weekend: weekdays(row.Weekend), Days: await listDays(knex, id), Revision };
  }

  async function changing<T>(work: (trx: Knex.Transaction) => Promise<T>): Promise<T> {
    try {
      return await inTransaction(knex, work);
    } catch (error) {
      const { fault } = dialect.classify(error);
      if (fault === 'unique') throw new AppError('nameTaken', 409, 'A holiday calendar with this name already exists');
      if (fault === 'foreignKey')
        throw new AppError(
          'calendarInUse',
          409,
          'Schedules or alerts use this calendar: choose another one for them first',
        );
      throw error;
    }
  }

  return {
    list: async () => {
      const rows = await listCalendars(knex);
      return rows.map(({ Weekend, ...row }) => ({ ...row, Weekend: weekdays(Weekend) }));
    },
    get,
    save: async (caller, { Id, Name, Weekend, Days, Revision }) => {
      const row = { Name: Name.trim(), Weekend: Weekend.toSorted((a, b) => a - b).join('') };
      if (new Set(Days.map(({ Day }) => Day)).size < Days.length)
        throw new AppError('dayTwice', 400, 'A day appears twice');
      const id = await changing(async (trx) => {
        if (Id !== 0) await recordEdit(trx, calendarOf(Id), { person: caller.person, Revision });
        const saved = Id === 0 ? await insertCalendar(trx, row) : Id;
        if (Id !== 0 && !(await updateCalendar(trx, Id, row))) throw notFound();
        await replaceDays(trx, saved, Days);
        if (Id !== 0) await recomputeNextTimes(database, trx, Id);
        await record(trx, caller, 'SaveHolidayCalendar', row.Name);
        return saved;
      });
      return get(id);
    },
    delete: async (caller, id) => {
      await changing(async (trx) => {
        const row = await findCalendar(trx, id);
        if (!row || !(await removeCalendar(trx, id))) throw notFound();
        await record(trx, caller, 'DeleteHolidayCalendar', row.Name);
      });
    },
    read: async (text) => {
      const now = await databaseTime(knex, database);
      return readCalendarFile(text, Math.floor(now.getTime() / DAY_MS));
    },
  };
}

async function record(trx: Knex.Transaction, { person, address }: Caller, Action: SecurityActionType, Name: string) {
  const action = { Action, KeyColumnName: 'HolidayCalendar', KeyColumnValue: Name };
  await recordActions(trx, actorOf(person, address), [action]);
}

/** Recomputes future occurrences, because they were computed with the old holidays. */
async function recomputeNextTimes(database: Database, trx: Knex.Transaction, id: number): Promise<void> {
  const now = await databaseTime(trx, database);
  const calendar = await readCalendar(trx, id);
  for (const row of await listSchedulesUsingCalendar(trx, id, now)) {
    const NextTime = occurrencesOf(ruleOf(row, calendar)).next(now) ?? NEVER;
    await trx('Timetables').where({ Id: row.Id, NextTime: row.NextTime }).update({ NextTime });
  }
}
