/** Writes the marks into the workbook of a design, to inspect, download, try or publish it. */
import { AppError } from '#server/base/app-error.ts';
import type { Holder, Person } from '#server/base/person.ts';
import type { WorkbookRegion } from '#server/calculation/reader/workbook-model.ts';
import type { DesignedFile, Executor, Inspection } from '#server/executors/executor.ts';
import type { StepCapabilities } from '#server/executors/step-services.ts';
import type { FilesService } from '#server/features/files/files-service.ts';
import type { ReceivedFile } from '#server/files/received-file.ts';
import { ownerOf } from '#server/versions/uploaded-workbook.ts';
import type { FileStore } from '#server/files/file-store.ts';
import type { RegionId } from '#shared/contract/auth.ts';
import type { Mark } from '#shared/contract/designs.ts';
import type { DesignAccess } from './design-access.ts';
import type { DesignOverview } from './design-files.ts';
import type { DesignRow } from './designs-repository.ts';

export interface MarkedWorkbooks {
  /** Inspects the workbook with the given marks: returns its definition and problems. */
  inspect(person: Person, row: DesignRow, marks: readonly Mark[], signal: AbortSignal): Promise<Inspection>;
  /** Returns a download token for the workbook with the marks. */
  download(person: Person, id: number, signal: AbortSignal): Promise<string>;
  /**
   * Stores the workbook with its marks, for publishing as the given activity.
   * @param activityId 0 for a new activity
   */
  forPublishing(person: Person, id: number, activityId: number, signal: AbortSignal): Promise<ReceivedFile>;
  /** @param region chosen by the author; defaults to that of the design */
  forTrying(person: Person, id: number, region: RegionId | undefined, signal: AbortSignal): Promise<MarkedWorkbook>;
}

export interface MarkedWorkbook {
  fileName: string;
  bytes: Uint8Array;
  inspection: Inspection;
  /** Changes whenever the marks or the region change. */
  key: string;
}

export interface MarkedWorkbooksDeps {
  designAccess: DesignAccess;
  store: FileStore;
  files: Pick<FilesService, 'tokenForNew'>;
  executor: Pick<Executor, 'designer'>;
  capabilitiesFor(person: Holder): Promise<StepCapabilities>;
}

export const marksOf = (row: DesignRow): Mark[] => JSON.parse(row.Marks) as Mark[];

export const overviewOf = (row: DesignRow): DesignOverview => JSON.parse(row.Overview) as DesignOverview;

export function createMarkedWorkbooks(deps: MarkedWorkbooksDeps): MarkedWorkbooks {
  const { designAccess, store, files } = deps;
  const { designer } = deps.executor;

  const fileOf = async (person: Person, { FileName, StoreKey }: DesignRow): Promise<DesignedFile> => ({
    fileName: FileName,
    bytes: await store.read(StoreKey),
    owner: ownerOf(person),
  });

  const write = async (person: Person, row: DesignRow, signal: AbortSignal): Promise<Uint8Array> =>
    designer.write(await fileOf(person, row), marksOf(row), signal);

  async function inspect(
    person: Person,
    row: DesignRow,
    marks: readonly Mark[],
    signal: AbortSignal,
    chosen?: RegionId,
  ): Promise<Inspection> {
    const stored = overviewOf(row).Region ?? null;
    const region: WorkbookRegion | null =
      chosen === undefined ? stored : { id: chosen, source: 'Chosen', told: stored?.told ?? null };
    const capabilities = await deps.capabilitiesFor(person);
    return designer.check(await fileOf(person, row), marks, { capabilities, region }, signal);
  }

  return {
    inspect,
    download: async (person, id, signal) => {
      const row = await designAccess.require(person, id);
      return files.tokenForNew(person, row.FileName, await write(person, row, signal));
    },
    forPublishing: async (person, id, activityId, signal) => {
      const row = await designAccess.require(person, id);
      if ((row.ActivityId ?? 0) !== activityId)
        throw new AppError('designOfAnother', 400, 'The unfinished workbook belongs to another activity');
      return { FileName: row.FileName, stored: await store.put(await write(person, row, signal), { signal }) };
    },
    forTrying: async (person, id, region, signal) => {
      const row = await designAccess.require(person, id);
      const bytes = await write(person, row, signal);
      const inspection = await inspect(person, row, marksOf(row), signal, region);
      return { fileName: row.FileName, bytes, inspection, key: `design/${row.Id}/${row.Revision}/${region ?? ''}` };
    },
  };
}
