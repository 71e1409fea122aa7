/** Shows what a workbook would become as an activity, before anything is stored. */
import type { ConnectionAccess } from '#server/connections/connection-access.ts';
import type { Database } from '#server/db/database.ts';
import type { ActivityDefinition, InputDefinition } from '#server/executors/activity-definition.ts';
import type { Executor, Inspection } from '#server/executors/executor.ts';
import type { StepCapabilities } from '#server/executors/step-services.ts';
import type { Holder, Person } from '#server/base/person.ts';
import type { ActivityAccess } from '#server/access/activity-access.ts';
import { checkPickerQueries } from '#server/features/pickers/picker-queries-service.ts';
import type { RightsService } from '#server/access/rights/rights-service.ts';
import type { FileStore } from '#server/files/file-store.ts';
import { FOUND_ITEMS_MAX, type InspectedWorkbook } from '#shared/contract/workbook-inspection.ts';
import { ACTIVITY_NAME_MAX, DESCRIPTION_MAX, FUNCTION_MAX, GROUP_MAX } from '#shared/rules/activity-rules.ts';
import { requireCreate } from '#server/access/require-create.ts';
import { regionWish } from '#server/versions/region-wish.ts';
import { unsupportedOf } from './unsupported-functions.ts';
import { readUploadFields } from '#server/versions/upload-fields.ts';
import { ownerOf, fairShareOf, type UploadedWorkbook } from '#server/versions/uploaded-workbook.ts';

export interface InspectService {
  /**
   * The caller always deletes the file from the store afterwards.
   * @param sent the text fields as received
   */
  inspect(
    person: Person,
    sent: Readonly<Record<string, string>>,
    workbook: UploadedWorkbook,
    signal: AbortSignal,
  ): Promise<InspectedWorkbook>;
  /**
   * Returns how many uploads will be inspected before this upload of the person: 0 while it is being inspected, null if
   * this process does not know it.
   */
  ahead(person: Person, uploadId: string): number | null;
}

export interface InspectDeps {
  database: Database;
  rights: RightsService;
  access: ActivityAccess;
  files: FileStore;
  executor: Executor;
  connections: ConnectionAccess;
  capabilitiesFor(person: Holder): Promise<StepCapabilities>;
}

export function createInspectService(deps: InspectDeps): InspectService {
  const { database, rights, access, files, executor, connections } = deps;
  const { knex } = database;
  return {
    inspect: async (person, sent, workbook, signal) => {
      const { Id = 0, Schema = '', AcceptUnsupported = [], ...fields } = readUploadFields(sent).fields;
      if (Id === 0) await requireCreate({ knex, rights }, person, Schema);
      else await access.requireEdit(knex, person, Id);
      const bytes = await files.read(workbook.stored.key);
      const { FileName: fileName } = workbook;
      const capabilities = await deps.capabilitiesFor(person);
      const region = await regionWish(knex, { Id, ...fields });
      const inspection = await executor.inspect(
        {
          fileName,
          bytes,
          acceptUnsupported: AcceptUnsupported,
          region,
          capabilities,
          ...fairShareOf(person, workbook),
        },
        signal,
      );
      const { definition } = inspection;
      const checked = definition && (await checkPickerQueries(connections, person, definition, signal));
      return inspected(fileName, inspection, checked, AcceptUnsupported);
    },
    ahead: (person, uploadId) => executor.uploadsAhead(ownerOf(person), uploadId),
  };
}

export function inspected(
  fileName: string,
  { definition, problems, fidelity }: Inspection,
  checked: Awaited<ReturnType<typeof checkPickerQueries>> | null,
  accepted: readonly string[],
): InspectedWorkbook {
  const found = definition && { ...definition, ...checked?.definition };
  const findings = checked?.findings ?? [];
  return {
    Proposals: proposalsOf(fileName, found),
    Inputs: (found?.inputs ?? []).map(({ Name, Description, Info, headers, ...lists }) => ({
      Name,
      Description,
      Info,
      ...(headers && { Headers: headers }),
      ...itemsIn(lists),
    })),
    Outputs: (found?.outputs ?? []).map(({ Name, Description, Info, headers }) => ({
      Name,
      Description,
      Info,
      ...(headers && { Headers: headers }),
    })),
    Steps: (found?.steps ?? []).map(({ Step, Action }) => ({ Step, Action })),
    Faults: [...problems, ...(checked?.problems ?? [])],
    Unsupported: unsupportedOf(fidelity, accepted),
    Fidelity: fidelity && { ...fidelity, Findings: [...(fidelity.Findings ?? []), ...findings] },
    ...regionIn(fidelity),
  };
}

/** Returns the picker lists that depend neither on formulas nor on other inputs. */
function itemsIn({ pickerItems, pickerAreas }: Pick<InputDefinition, 'pickerItems' | 'pickerAreas'>) {
  const lists = pickerItems.map((items, col) =>
    items && items.length <= FOUND_ITEMS_MAX && !pickerAreas?.[col] ? items : null,
  );
  return lists.some((items) => items !== null) ? { Items: lists } : {};
}

/** Reads the region from the report: a workbook with problems has a region, but no definition. */
function regionIn(fidelity: Inspection['fidelity']): Pick<InspectedWorkbook, 'Region'> {
  const { Region: Id = 'en-US', RegionSource: Source } = fidelity ?? {};
  return Source === undefined ? {} : { Region: { Id, Source } };
}

function proposalsOf(fileName: string, definition: ActivityDefinition | null): InspectedWorkbook['Proposals'] {
  const { Description = '', Group = '', Function: purpose = '' } = definition?.proposals ?? {};
  return {
    Name: nameOfFile(fileName).slice(0, ACTIVITY_NAME_MAX).trim(),
    Description: Description.slice(0, DESCRIPTION_MAX),
    Group: Group.slice(0, GROUP_MAX),
    Function: purpose.slice(0, FUNCTION_MAX),
  };
}

/** Proposes an activity name: 'sales_commission-2026.xlsx' becomes 'Sales commission 2026'. */
function nameOfFile(fileName: string): string {
  const words = fileName
    .replace(/\.[^.]*$/, '')
    .replaceAll(/[_\s]+|(?<=\p{L})-(?=[\p{L}\d])/gu, ' ')
    .trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
