/** Names of the roles and people that approvals name, by the approval: for lists of other features. */
import type { Db } from '#server/db/dialect/types.ts';
import { listNamed } from './approvals-repository.ts';

export const readNamedApprovers = (db: Db, approvalIds: readonly number[]): Promise<ReadonlyMap<number, string[]>> =>
  listNamed(db, approvalIds);
