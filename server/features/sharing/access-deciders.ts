import type { Db } from '#server/db/dialect/types.ts';
import type { ObjectKeys } from '#server/access/rights/grants.ts';
import { answerRight } from '#server/access/rights/right-answer.ts';
import { loadRightHolders } from '#server/features/rights/right-holders-service.ts';
import type { RightName } from '#shared/contract/rights.ts';
import { listEnabledUsers } from './shares-repository.ts';

/** Returns the enabled users who hold the right for the object, without administrators, who hold every right. */
async function holdersOf(db: Db, right: RightName, keys: ObjectKeys): Promise<number[]> {
  const holders = await loadRightHolders(db, right);
  const users = await listEnabledUsers(db);
  return users
    .filter(({ UserId, IsUserAdmin }) => !IsUserAdmin && answerRight(holders.grantsOfUser(UserId), right, keys).access)
    .map(({ UserId }) => UserId);
}

/**
 * Returns who is mailed about a request for access: the editors of the activity, or, if it has none or they may not
 * share, the people who manage rights and the administrators.
 */
export async function mailedDeciders(db: Db, activity: ObjectKeys, editorsMayShare: boolean): Promise<number[]> {
  const editors = editorsMayShare ? await holdersOf(db, 'sk.EditActivity', activity) : [];
  if (editors.length > 0) return editors;
  const managers = await holdersOf(db, 'sk.ManageRights', {});
  const users = await listEnabledUsers(db);
  return [...managers, ...users.filter(({ IsUserAdmin }) => IsUserAdmin).map(({ UserId }) => UserId)];
}
