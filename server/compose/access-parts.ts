/** Composes what other features need of sharing: who may share, and what the bell tells about access. */
import type { ActivityAccess } from '#server/access/activity-access.ts';
import { createAccessNotices } from '#server/features/sharing/access-notices-service.ts';
import { createSharingAccess } from '#server/access/sharing-access.ts';
import type { ActivityParts } from './activity-parts.ts';
import type { PortalDeps } from './portal-deps.ts';

export function createAccessParts(
  { database, rights, editorsMayShare }: Pick<PortalDeps, 'database' | 'rights' | 'editorsMayShare'>,
  access: ActivityAccess,
): Pick<ActivityParts, 'sharingAccess' | 'accessNotices'> {
  const sharingAccess = createSharingAccess({ rights, access, editorsMayShare });
  return { sharingAccess, accessNotices: createAccessNotices(database, { sharing: sharingAccess, access }) };
}
