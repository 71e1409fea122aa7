/** Determines the requested region of an uploaded workbook. */
import type { RegionWish } from '#server/calculation/reader/workbook-model.ts';
import type { Db } from '#server/db/dialect/types.ts';
import type { ActivityDefinition } from '#server/executors/activity-definition.ts';
import type { ActivityUpload } from '#shared/contract/versions.ts';
import { findNewestRegion, regionOfVersion } from './version-rows.ts';

/**
 * Returns the region that the person chose, or else that of an earlier version; neither for a new activity.
 * @param continued the version that is uploaded again; the newest one if absent
 */
export async function regionWish(
  db: Db,
  { Id, Region }: Pick<ActivityUpload, 'Id' | 'Region'>,
  continued?: ActivityDefinition,
): Promise<RegionWish> {
  if (Region !== undefined) return { chosen: Region };
  if (Id === 0) return {};
  const before = continued ? regionOfVersion(continued) : await findNewestRegion(db, Id);
  return before ? { before } : {};
}
