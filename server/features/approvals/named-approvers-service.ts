/** Exposes the names of the roles and people that may decide to the lists of other features. */
import type { Db } from '#server/db/dialect/types.ts';
import { listNamed } from './approvals-repository.ts';

export const readNamedApprovers = (db: Db, approvalIds: readonly number[]): Promise<ReadonlyMap<number, string[]>> =>
  listNamed(db, approvalIds);
