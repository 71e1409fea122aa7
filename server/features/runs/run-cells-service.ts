/** Shows the formula and value of cells that the log of a run names. */
import { AppError } from '#server/base/app-error.ts';
import type { Person } from '#server/base/person.ts';
import type { Database } from '#server/db/database.ts';
import type { FileStore } from '#server/files/file-store.ts';
import type { VersionCatalog } from '#server/versions/version-catalog.ts';
import type { CellLocation, ShownCell } from '#shared/contract/run-cells.ts';
import type { RunAccess } from '#server/access/run-access.ts';
import { findCalculatedWorkbook } from './run-files-repository.ts';

export interface RunCellsService {
  /** Throws an AppError 404 if there is no such run, sheet or file. */
  show(person: Person, runId: number, location: CellLocation, signal: AbortSignal): Promise<ShownCell>;
}

/** Returns null if there is no such sheet. */
interface CellReader {
  read(
    wanted: { bytes: Uint8Array; location: CellLocation; hasResults: boolean },
    signal: AbortSignal,
  ): Promise<ShownCell | null>;
}

export interface RunCellsDeps {
  database: Database;
  access: RunAccess;
  versions: VersionCatalog;
  files: Pick<FileStore, 'read'>;
  cells: CellReader;
}

export function createRunCellsService({ database, access, versions, files, cells }: RunCellsDeps): RunCellsService {
  const { knex } = database;
  return {
    show: async (person, runId, location, signal) => {
      const { run } = await access.require(knex, person, runId);
      const calculated = await findCalculatedWorkbook(knex, runId);
      // If the run's files were purged, the version still contains the formulas.
      const version = calculated ? null : await versions.get(run.ActivityId, run.ActivityVersion);
      const key = calculated?.StoreKey ?? version?.file?.StoreKey;
      if (key === undefined) throw new AppError('fileMissing', 404, 'The workbook of this run is no longer stored');
      const bytes = await files.read(key);
      const shown = await cells.read({ bytes, location, hasResults: calculated !== undefined }, signal);
      if (!shown) throw new AppError('sheetNotFound', 404, 'The workbook has no such sheet');
      return shown;
    },
  };
}
