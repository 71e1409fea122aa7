/** Makes the change that reverses an answer, with the calls of the pages of rights, roles and sharing. */
import type { AccessFix, AccessReasons } from '#shared/contract/access-reasons.ts';
import type { RightName } from '#shared/contract/rights.ts';
import { enableRole } from '#shared/contract/roles.ts';
import { shareActivity, unshareActivity } from '#shared/contract/sharing.ts';
import { LEVEL_BRINGS, SHARE_LEVELS } from '#shared/rules/share-levels.ts';
import { call } from '#renderer/api/client.ts';
import { changeRoles, changeUsers } from '#renderer/features/rights/use-grants.ts';

export async function applyFix(about: AccessReasons, right: RightName, fix: AccessFix): Promise<void> {
  const { UserId, ActivityId, CanManage } = about;
  if (fix.Kind === 'EnableRole') await call(enableRole, { params: { name: fix.Role } });
  else if (!CanManage) await applyBySharing(fix, { UserId, ActivityId, right });
  else {
    const address = { name: right, ...keyOf(fix, about) };
    const change = CHANGES[fix.Kind];
    if (fix.Kind === 'RemoveRoleDenial') await changeRoles(address, change, [fix.Role]);
    else await changeUsers(address, change, [UserId]);
  }
}

const CHANGES = {
  Grant: 'grant',
  Deny: 'deny',
  RemoveGrant: 'delete',
  RemoveDenial: 'delete',
  RemoveRoleDenial: 'delete',
} as const;

function keyOf({ Scope }: AccessFix, { ActivityId, Schema }: AccessReasons): { keyColumn?: string; value?: string } {
  if (Scope === 'All') return {};
  return Scope === 'Schema' ? { keyColumn: 'Schema', value: Schema } : { keyColumn: 'Id', value: String(ActivityId) };
}

/** People who do not manage rights may share, and take shares back. */
async function applyBySharing(
  { Kind }: AccessFix,
  { UserId, ActivityId, right }: { UserId: number; ActivityId: number; right: RightName },
): Promise<void> {
  const params = { id: ActivityId };
  const Level = SHARE_LEVELS.find((level) => LEVEL_BRINGS[level].at(-1) === right);
  if (Kind === 'Grant' && Level)
    await call(shareActivity, { params, body: { Level, UserIds: [UserId], Roles: [], Message: '' } });
  else await call(unshareActivity, { params, body: { UserIds: [UserId], Roles: [] } });
}
