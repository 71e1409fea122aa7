/** Shares an activity. A share consists only of ordinary grants on the activity. */
import { changeRoles, changeUsers } from '#renderer/features/rights/use-grants.ts';
import { LEVEL, type Grantee, type Level, type Share } from './share-grants.ts';

const rightOn = (name: string, activityId: number) => ({ name, keyColumn: 'Id', value: String(activityId) });

async function change(activityId: number, { kind, id }: Grantee, names: readonly string[], how: 'grant' | 'delete') {
  for (const name of names) {
    const right = rightOn(name, activityId);
    await (kind === 'user' ? changeUsers(right, how, [id as number]) : changeRoles(right, how, [id as string]));
  }
}

export const share = (activityId: number, grantee: Grantee, level: Level): Promise<void> =>
  change(activityId, grantee, LEVEL[level].rights, 'grant');

export const unshare = (activityId: number, { rights, ...grantee }: Share): Promise<void> =>
  change(activityId, grantee, rights, 'delete');
