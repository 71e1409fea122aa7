/** Replays the cases of all activities, one activity after another, for example after an upgrade of the program. */
import type { VersionCatalog } from '#server/versions/version-catalog.ts';
import type { ReplayedCase } from '#shared/contract/test-beds.ts';
import { listBeds } from './test-beds-repository.ts';
import { replayStored, type TestBedsDeps } from './test-beds-service.ts';

export interface ReplayedBed {
  ActivityId: number;
  Name: string;
  Version: number;
  Cases: ReplayedCase[];
  /** Why no case was replayed; null if they were. */
  Fault: string | null;
}

/** @param activityId only this activity; null for all activities with cases */
export async function replayBeds(
  deps: Pick<TestBedsDeps, 'database' | 'store' | 'replayer'> & { versions: VersionCatalog },
  activityId: number | null,
  onBed: (bed: ReplayedBed) => void,
): Promise<void> {
  for (const { Id, Name, Version } of await listBeds(deps.database.knex, activityId)) {
    const bed = { ActivityId: Id, Name, Version };
    try {
      const version = await deps.versions.get(Id, Version);
      if (!version) throw new Error(`activity ${Id} has no version ${Version}`);
      onBed({ ...bed, Cases: await replayStored(deps, version, null, new AbortController().signal), Fault: null });
    } catch (error) {
      // If one activity cannot be replayed, the others still are.
      onBed({ ...bed, Cases: [], Fault: (error as Error).message });
    }
  }
}
