/**
 * Decides who learns of the runs that rules cover. Rights, members and receivers are read once per person and poll,
 * not once per run.
 */
import type { Holder } from '#server/base/person.ts';
import { permissions, type ChecklistAccess, type ChecklistScopes } from '#server/access/checklist-access.ts';
import { listMembers, type MemberRow } from '#server/access/find-checklist.ts';
import { isInScope } from '#server/access/rights/right-scope.ts';
import type { Db } from '#server/db/dialect/types.ts';
import type { AlertsRow } from '#server/db/tables.ts';
import { approvers } from '#server/workflows/approvals/approvers.ts';
import type { AlertReceivers } from '#shared/contract/alerts.ts';
import type { RuleRun } from './rule-watch-repository.ts';

/** What decides who may see a run. */
export type LearnedRun = Pick<RuleRun, 'UserId' | 'OwnerId' | 'Schema' | 'IsActive'>;

export interface RuleAudience {
  /** Returns whether the user may see the run now. */
  mayLearn(userId: number, run: LearnedRun, isWorkflow: boolean): Promise<boolean>;
  /** Returns the users whom a rule notifies, whatever they may see. */
  receivers(rule: AlertsRow): Promise<readonly number[]>;
}

type Access = Pick<ChecklistAccess, 'scopes'>;

/** @param holderOf returns the user's current rights; undefined if they can no longer sign in */
export function createRuleAudience(
  db: Db,
  access: Access,
  holderOf: (db: Db, userId: number) => Promise<Holder | undefined>,
): RuleAudience {
  const scopesOf = cached(async (userId: number): Promise<ChecklistScopes | null> => {
    const holder = await holderOf(db, userId);
    return holder ? access.scopes(holder) : null;
  });
  const membersOf = cached((checklistId: number): Promise<MemberRow[]> => listMembers(db, checklistId));
  const receiversOf = new Map<number, Promise<readonly number[]>>();
  return {
    mayLearn: async (userId, run, isWorkflow) => {
      const scopes = await scopesOf(userId);
      if (!scopes) return false;
      const isOwnOr = (mayViewRuns: boolean): boolean => run.UserId === userId || mayViewRuns;
      if (isWorkflow) {
        const may = permissions(run, await membersOf(run.OwnerId), scopes);
        return may.isVisible && isOwnOr(may.CanViewRuns);
      }
      const keys = { Id: run.OwnerId, Schema: run.Schema };
      const isVisible = isInScope(scopes.edit, keys) || (run.IsActive && isInScope(scopes.run, keys));
      return isVisible && isOwnOr(isInScope(scopes.viewRuns, keys));
    },
    receivers: (rule) => {
      const known = receiversOf.get(rule.Id) ?? readReceivers(db, rule);
      receiversOf.set(rule.Id, known);
      return known;
    },
  };
}

async function readReceivers(db: Db, rule: AlertsRow): Promise<readonly number[]> {
  const { Roles, UserIds } = JSON.parse(rule.Receivers) as AlertReceivers;
  // Most rules notify only their owner, whose account mayLearn checks.
  if (Roles.length === 0 && UserIds.length === 1 && UserIds[0] === rule.UserId) return UserIds;
  return approvers(db, { Roles, UserIds, Except: [] }).pluck('U.UserId');
}

function cached<V>(read: (key: number) => Promise<V>): (key: number) => Promise<V> {
  const known = new Map<number, Promise<V>>();
  return (key) => {
    const value = known.get(key) ?? read(key);
    known.set(key, value);
    return value;
  };
}
