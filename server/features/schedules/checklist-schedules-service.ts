/** Schedules of checklists and workflows. server/automation/schedules/scheduled-workflows.ts starts what is due. */
import { AppError } from '#server/base/app-error.ts';
import { fullName } from '#server/base/full-name.ts';
import type { Person } from '#server/base/person.ts';
import type { Database } from '#server/db/database.ts';
import type { ChecklistAccess } from '#server/access/checklist-access.ts';
import { recordEdit, revisionOf, type EditedRecord } from '#server/access/edits.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { ChecklistsService } from '#server/features/checklists/checklists-service.ts';
import { readAdditionalSchedules } from '#server/features/additional-schedules/schedule-summary-service.ts';
import { nextOccurrence } from '#server/automation/schedules/daily-occurrences.ts';
import type { WorkflowScheduleStarter } from '#server/automation/schedules/workflow-schedule-starter.ts';
import { databaseTime } from '#server/automation/schedules/scheduler.ts';
import type { ChecklistSchedule, ChecklistScheduleDetails } from '#shared/contract/checklist-schedules.ts';
import { canBeScheduled } from '#shared/rules/schedule-rules.ts';
import {
  findChecklistSchedule,
  removeChecklistSchedule,
  saveChecklistSchedule,
} from './checklist-schedules-repository.ts';
import { NOT_SCHEDULED, planText, readPlan, timesOf } from './schedule-plans.ts';

export interface ChecklistSchedulesService {
  get(person: Person, checklistId: number): Promise<ChecklistScheduleDetails>;
  update(person: Person, schedule: ChecklistSchedule): Promise<ChecklistScheduleDetails>;
  delete(person: Person, checklistId: number): Promise<void>;
}

export interface ChecklistSchedulesDeps {
  database: Database;
  access: ChecklistAccess;
  checklists: Pick<ChecklistsService, 'details'>;
  starter: WorkflowScheduleStarter;
  timeZone: string;
}

const NEEDS_INPUTS = 'The checklist has inputs, so it cannot be scheduled';

const scheduleOf = (checklistId: number): EditedRecord => ({ table: 'ChecklistSchedules', key: checklistId });

export function createChecklistSchedulesService(deps: ChecklistSchedulesDeps): ChecklistSchedulesService {
  const { database, access, checklists, starter, timeZone } = deps;
  const { knex, dialect } = database;

  async function get(person: Person, ChecklistId: number): Promise<ChecklistScheduleDetails> {
    const { checklist } = await access.requireEdit(knex, person, ChecklistId);
    const Revision = await revisionOf(knex, scheduleOf(ChecklistId));
    const [row, { Inputs }, Further] = await Promise.all([
      findChecklistSchedule(knex, ChecklistId),
      checklists.details(person, ChecklistId),
      readAdditionalSchedules(knex, 'ChecklistId', ChecklistId),
    ]);
    return {
      ChecklistId,
      ChecklistName: checklist.Name,
      UserId: row?.UserId ?? null,
      UserFullName: row ? fullName(row) : null,
      Schedule: row ? planText(row) : null,
      ...(row ? timesOf(row) : NOT_SCHEDULED),
      TimeZone: timeZone,
      CanSchedule: canBeScheduled(Inputs.flatMap(({ ActivityInputs }) => ActivityInputs)),
      Further,
      Revision,
    };
  }

  return {
    get,
    update: async (person, { ChecklistId, UserId, Schedule, Revision }) => {
      const { CanSchedule } = await get(person, ChecklistId);
      // A schedule runs as the person who saves it, so that nobody can use somebody else's rights.
      if (UserId !== person.UserId) throw new AppError('forbidden', 403, 'A schedule runs as the person who saves it');
      if (!CanSchedule) throw new AppError('needsInputs', 409, NEEDS_INPUTS);
      const saved = readPlan(Schedule);
      // Reports problems now instead of at the scheduled time.
      const { refused } = await starter.prepare(ChecklistId, UserId);
      if (refused !== null) throw new AppError('cannotRun', 409, refused);
      const NextTime = nextOccurrence(await databaseTime(knex, database), saved.TimeOfDay, timeZone);
      // Saving a paused schedule resumes it.
      const times = { TimeZone: timeZone, NextTime, PausedTime: null };
      await inTransaction(knex, async (trx) => {
        await recordEdit(trx, scheduleOf(ChecklistId), { person, Revision });
        await saveChecklistSchedule(trx, dialect, { ChecklistId, UserId, ...saved, ...times });
      });
      return get(person, ChecklistId);
    },
    delete: async (person, checklistId) => {
      await access.requireEdit(knex, person, checklistId);
      await inTransaction(knex, async (trx) => {
        await recordEdit(trx, scheduleOf(checklistId), { person, Revision: null });
        if (!(await removeChecklistSchedule(trx, checklistId)))
          throw new AppError('scheduleNotFound', 404, 'There is no schedule');
      });
    },
  };
}
