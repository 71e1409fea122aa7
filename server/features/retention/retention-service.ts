/** Retention periods of an activity's runs, for people who may edit it. retention-keeper.ts deletes the runs. */
import { AppError, type ModelState } from '#server/base/app-error.ts';
import type { Database } from '#server/db/database.ts';
import type { ActivityAccess } from '#server/access/activity-access.ts';
import { recordEdit, revisionOf, type EditedRecord } from '#server/access/edits.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Person } from '#server/base/person.ts';
import type { RetentionDetails, RunRetention, RunRetentionUpdate } from '#shared/contract/schedules.ts';
import { parsePeriod, retentionIssues, type RetentionField } from '#shared/rules/retention-rules.ts';
import { findRetention, removeRetention, saveRetention } from './retention-repository.ts';

export interface RetentionService {
  get(person: Person, activityId: number): Promise<RetentionDetails>;
  update(person: Person, retention: RunRetentionUpdate): Promise<RetentionDetails>;
  delete(person: Person, activityId: number): Promise<void>;
}

const FOR_EVER = { RunRetention: null, RunDataRetention: null, RunInputsRetention: null };

/** Returns the periods of an activity; null if none are set. The caller must have checked the rights. */
export async function readRetention(
  { knex }: Pick<Database, 'knex'>,
  activityId: number,
): Promise<RunRetention | null> {
  const row = await findRetention(knex, activityId);
  if (!row) return null;
  const { ActivityId, RunRetention, RunDataRetention, RunInputsRetention } = row;
  return { ActivityId, RunRetention, RunDataRetention, RunInputsRetention };
}

const retentionOf = (activityId: number): EditedRecord => ({ table: 'ActivityRetentions', key: activityId });

export function createRetentionService({ knex, dialect }: Database, access: ActivityAccess): RetentionService {
  async function get(person: Person, ActivityId: number): Promise<RetentionDetails> {
    const { activity } = await access.requireEdit(knex, person, ActivityId);
    const Revision = await revisionOf(knex, retentionOf(ActivityId));
    const { RunRetention, RunDataRetention, RunInputsRetention } = (await findRetention(knex, ActivityId)) ?? FOR_EVER;
    return { ActivityId, ActivityName: activity.Name, RunRetention, RunDataRetention, RunInputsRetention, Revision };
  }

  return {
    get,
    update: async (person, { ActivityId, Revision, ...sent }) => {
      await access.requireEdit(knex, person, ActivityId);
      const retention = readPeriods(sent);
      const issues = retentionIssues(retention);
      if (issues.length > 0) {
        const modelState: ModelState = {};
        for (const { field, message } of issues) (modelState[field] ??= []).push(message);
        throw new AppError('retentionInvalid', 400, issues[0]!.message, { modelState });
      }
      const { RunRetention = null, RunDataRetention = null, RunInputsRetention = null } = retention;
      await inTransaction(knex, async (trx) => {
        await recordEdit(trx, retentionOf(ActivityId), { person, Revision });
        await saveRetention(trx, dialect, { ActivityId, RunRetention, RunDataRetention, RunInputsRetention });
      });
      return get(person, ActivityId);
    },
    delete: async (person, activityId) => {
      await access.requireEdit(knex, person, activityId);
      await inTransaction(knex, async (trx) => {
        await recordEdit(trx, retentionOf(activityId), { person, Revision: null });
        if (!(await removeRetention(trx, activityId)))
          throw new AppError('retentionNotFound', 404, 'There is no retention period');
      });
    },
  };
}

/** Returns undefined for a value that is not a number of days. */
const readPeriods = (
  sent: Omit<RunRetentionUpdate, 'ActivityId' | 'Revision'>,
): Record<RetentionField, number | null | undefined> => ({
  RunRetention: parsePeriod(sent.RunRetention),
  RunDataRetention: parsePeriod(sent.RunDataRetention),
  RunInputsRetention: parsePeriod(sent.RunInputsRetention),
});
