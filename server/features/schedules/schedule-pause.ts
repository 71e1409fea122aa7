/** Pauses schedules: nothing is started or retried until somebody resumes them. */
import { AppError } from '#server/base/app-error.ts';
import type { Person } from '#server/base/person.ts';
import { recordEdit } from '#server/access/edits.ts';
import type { Database } from '#server/db/database.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { nextOccurrence } from '#server/automation/schedules/daily-occurrences.ts';
import { NEVER, type ScheduleKind } from '#server/automation/schedules/schedule-occurrences.ts';
import { databaseTime } from '#server/automation/schedules/scheduler.ts';

export interface SchedulePause {
  pause(person: Person, id: number): Promise<void>;
  resume(person: Person, id: number): Promise<void>;
}

export interface SchedulePauseDeps {
  database: Database;
  kind: Pick<ScheduleKind, 'table' | 'key' | 'runs'>;
  requireEdit: (person: Person, id: number) => Promise<unknown>;
  timeZone: string;
}

interface StoredSchedule {
  TimeOfDay: number;
  PausedTime: Date | null;
}

export function createSchedulePause({ database, kind, requireEdit, timeZone }: SchedulePauseDeps): SchedulePause {
  const { knex, dialect } = database;
  const { table, key, runs } = kind;

  /** Changes a schedule unless it is already in that state. */
  async function change(
    person: Person,
    id: number,
    isPaused: boolean,
    columns: (schedule: StoredSchedule, now: Date) => object,
  ): Promise<void> {
    const stored = await knex(table).where(key, id).first('PausedTime');
    if (stored && (stored.PausedTime !== null) === isPaused) return;
    await inTransaction(knex, async (trx) => {
      // Saving a form that was opened before would undo the change.
      await recordEdit(trx, { table, key: id }, { person, Revision: null });
      const [schedule] = await dialect.lockRows<StoredSchedule>(trx, {
        table,
        columns: ['TimeOfDay', 'PausedTime'],
        where: (query) => void query.where(key, id),
        orderBy: [{ column: key }],
        locked: 'wait',
      });
      if (!schedule) throw new AppError('scheduleNotFound', 404, 'There is no schedule');
      if ((schedule.PausedTime !== null) === isPaused) return;
      const now = await databaseTime(trx, database);
      await trx(table).where(key, id).update(columns(schedule, now));
      // Runs that failed earlier are not retried during the pause or after it.
      if (isPaused) {
        const open = trx(runs).where(key, id).whereNull('TimetableId').whereNull('SettledTime');
        await open.update({ SettledTime: now });
      }
    });
  }

  return {
    pause: async (person, id) => {
      await requireEdit(person, id);
      await change(person, id, true, (_, PausedTime) => ({ PausedTime, NextTime: NEVER }));
    },
    resume: async (person, id) => {
      await requireEdit(person, id);
      await change(person, id, false, ({ TimeOfDay }, now) => ({
        PausedTime: null,
        NextTime: nextOccurrence(now, TimeOfDay, timeZone),
        TimeZone: timeZone,
      }));
    },
  };
}
