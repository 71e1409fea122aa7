/** The command `npm run replay`: replays the test cases of all activities, with the settings of the portal. */
import type { Logger } from 'pino';
import type { Config } from '#server/config/config-schema.ts';
import type { Database } from '#server/db/database.ts';
import { findInstalledOffice } from '#server/executors/libreoffice/find-office.ts';
import { createWorkbookExecutor } from '#server/executors/workbook/workbook-executor.ts';
import { createReplayer } from '#server/features/test-beds/replay-cases.ts';
import { replayBeds, type ReplayedBed } from '#server/features/test-beds/replay-beds.ts';
import { withDeltas } from '#server/files/deltas.ts';
import { openFileStore } from '#server/files/open-file-store.ts';
import { createStaticFolders } from '#server/folders/static-folders.ts';
import { createVersionCatalog } from '#server/versions/version-catalog.ts';
import { withCommandDatabase } from './command-database.ts';
import { hiddenPaths } from '#server/config/hidden-paths.ts';

const MB = 1024 * 1024;

/**
 * Passes the activities with test cases to `onBed` one by one, and stores the outcomes as their last results.
 * @param activityId limits the replay to this activity; null for all
 */
export async function replayCommand(
  config: Config,
  log: Logger,
  activityId: number | null,
  onBed: (bed: ReplayedBed) => void,
): Promise<void> {
  const work = async (database: Database): Promise<void> => {
    const opened = await openFileStore(config, database);
    const office = findInstalledOffice(config.libreOffice);
    const executor = createWorkbookExecutor({
      office: office && { ...office, hidden: hiddenPaths(config) },
      threads: 1,
      formThreads: 1,
      memoryBytes: config.threadMemoryMb * MB,
    });
    try {
      // Only for an operator who looks at numbers: no run is created, and nobody else sees results.
      const replayer = createReplayer({ executor, isLicensed: async () => true });
      const versions = createVersionCatalog(database.knex, {
        folders: createStaticFolders(config.staticFolders, config.maxUploadMb * MB).names,
      });
      await replayBeds({ database, store: withDeltas(opened.store, database), replayer, versions }, activityId, onBed);
    } finally {
      await executor.close();
      opened.close();
    }
  };
  await withCommandDatabase(config, log, work, { command: 'replay' });
}
