/** What `npm run replay` does: replays the test cases of all activities, with the settings of the portal. */
import type { Logger } from 'pino';
import type { Config } from '#server/config/config-schema.ts';
import { findInstalledOffice } from '#server/executors/libreoffice/find-office.ts';
import { createWorkbookExecutor } from '#server/executors/workbook/workbook-executor.ts';
import { createReplayer } from '#server/features/test-beds/replay-cases.ts';
import { listBeds } from '#server/features/test-beds/test-beds-repository.ts';
import { replayStored } from '#server/features/test-beds/test-beds-service.ts';
import { openFileStore } from '#server/files/open-file-store.ts';
import { createStaticFolders } from '#server/folders/static-folders.ts';
import { createVersionCatalog } from '#server/versions/version-catalog.ts';
import type { ReplayedCase } from '#shared/contract/test-beds.ts';
import { withCommandDatabase } from './command-database.ts';

export interface ReplayedBed {
  ActivityId: number;
  Name: string;
  Version: number;
  Cases: ReplayedCase[];
  /** Why none was replayed; null where they were. */
  Fault: string | null;
}

const MB = 1024 * 1024;

/**
 * Answers the activities that have cases, one after another; what is found is kept as their last results.
 * @param activityId of which alone; null for all
 */
export async function replayCommand(
  config: Config,
  log: Logger,
  activityId: number | null,
  onBed: (bed: ReplayedBed) => void,
): Promise<void> {
  await withCommandDatabase(config, log, async (database) => {
    const opened = await openFileStore(config);
    const office = findInstalledOffice(config.libreOffice);
    const executor = createWorkbookExecutor({
      office: office && { ...office, hidden: [config.dataDir] },
      threads: 1,
      formThreads: 1,
      memoryBytes: config.threadMemoryMb * MB,
    });
    try {
      // An operator looks at numbers here: no run is made, and none is answered to anybody.
      const replayer = createReplayer({ executor, isLicensed: async () => true });
      const versions = createVersionCatalog(database.knex, {
        folders: createStaticFolders(config.staticFolders, config.maxUploadMb * MB).names,
      });
      const deps = { database, store: opened.store, replayer };
      for (const { Id, Name, Version } of await listBeds(database.knex, activityId)) {
        const bed = { ActivityId: Id, Name, Version };
        try {
          const version = await versions.get(Id, Version);
          if (!version) throw new Error(`activity ${Id} has no version ${Version}`);
          const Cases = await replayStored(deps, version, null, new AbortController().signal);
          onBed({ ...bed, Cases, Fault: null });
        } catch (error) {
          onBed({ ...bed, Cases: [], Fault: (error as Error).message });
        }
      }
    } finally {
      await executor.close();
      opened.close();
    }
  });
}
