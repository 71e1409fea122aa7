/** Decides who may receive an alert: an alert never tells people what they could not look up themselves. */
import { AppError } from '#server/base/app-error.ts';
import type { Holder } from '#server/base/person.ts';
import type { Db } from '#server/db/dialect/types.ts';
import type { ActivityAccess } from '#server/access/activity-access.ts';
import type { ChecklistAccess } from '#server/access/checklist-access.ts';
import { approvers } from '#server/workflows/approvals/approvers.ts';
import type { AlertReceivers } from '#shared/contract/alerts.ts';

export interface AlertSubject {
  ActivityId: number | null;
  ChecklistId: number | null;
  /** User who started the run; null if the alert is not about a run, for example because no run has succeeded. */
  starterId: number | null;
  /** True if the alert is about a run. */
  isOfRun: boolean;
}

export interface AlertAudience {
  mayLearn(db: Db, holder: Holder, subject: AlertSubject): Promise<boolean>;
  /** Returns the receivers who may learn of the subject. */
  people(db: Db, receivers: AlertReceivers, subject: AlertSubject): Promise<number[]>;
  /** Returns the user's current rights; undefined if they can no longer sign in. */
  holder(db: Db, userId: number): Promise<Holder | undefined>;
}

export function createAlertAudience({
  access,
  checklistAccess,
}: {
  access: ActivityAccess;
  checklistAccess: ChecklistAccess;
}): AlertAudience {
  async function mayLearn(db: Db, holder: Holder, subject: AlertSubject): Promise<boolean> {
    const { ActivityId, ChecklistId, starterId, isOfRun } = subject;
    // The test of a rule is about no activity, and says only who sent it.
    if (ActivityId === null && ChecklistId === null) return true;
    try {
      const visible =
        ActivityId === null
          ? await checklistAccess.require(db, holder, ChecklistId ?? 0)
          : await access.require(db, holder, ActivityId);
      return !isOfRun || starterId === holder.UserId || visible.CanViewRuns;
    } catch (error) {
      if (error instanceof AppError && [403, 404].includes(error.status)) return false;
      throw error;
    }
  }

  async function holder(db: Db, UserId: number): Promise<Holder | undefined> {
    const row = await db('Users').where({ UserId, Enabled: true }).whereNull('DeletedTime').first('IsUserAdmin');
    return row && { UserId, IsUserAdmin: row.IsUserAdmin, fromInternet: false };
  }

  return {
    mayLearn,
    holder,
    people: async (db, { Roles, UserIds }, subject) => {
      const rows = await approvers(db, { Roles, UserIds, Except: [] }).select<
        { UserId: number; IsUserAdmin: boolean }[]
      >('U.UserId', 'U.IsUserAdmin');
      const permitted: number[] = [];
      for (const row of rows) {
        if (await mayLearn(db, { ...row, fromInternet: false }, subject)) permitted.push(row.UserId);
      }
      return permitted;
    },
  };
}
