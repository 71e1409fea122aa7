/** Converts database rows to the shapes of the contract. */
import { fullName } from '#server/base/full-name.ts';
import { isInScope } from '#server/access/right-scope.ts';
import type { Activity, ActivityList, DisplayInfo, LastRun } from '#shared/contract/activities.ts';
import type { Static } from 'typebox';
import type { Input, Output } from '#shared/contract/parameters.ts';
import type { ActivityScopes } from '#server/access/activity-scopes.ts';
import type { LastRunColumns, ListRow } from './activities-repository.ts';
import { presetIssue } from './preset-values.ts';
import type { ActivityVersion } from '#server/versions/version-catalog.ts';

export function lastRunOf(row: LastRunColumns | undefined): LastRun | null {
  if (!row || row.LastRunId === null || row.QueueTime === null || row.Status === null) return null;
  const { LastRunId, QueueTime, Status } = row;
  return { Id: LastRunId, QueueTime: QueueTime.toISOString(), Status, UserFullName: fullName(row) };
}

export function activityList(
  rows: readonly ListRow[],
  { run, edit }: ActivityScopes,
): Omit<ActivityList, 'Checklists'> {
  const schemas = new Map<string, ActivityList['Schemas'][number]>();
  for (const { Schema, SchemaDisplayName, SchemaOrder } of rows) {
    schemas.set(Schema, { Name: Schema, DisplayName: SchemaDisplayName, Order: SchemaOrder });
  }
  return {
    Schemas: [...schemas.values()],
    Activities: rows.map((row) => ({
      Id: row.Id,
      Name: row.Name,
      Description: row.Description,
      Type: row.Type,
      Schema: row.Schema,
      Group: row.Group,
      Function: row.Function,
      Order: row.Order,
      IsActive: row.IsActive,
      CanEdit: isInScope(edit, keysOf(row)),
      CanRun: row.IsActive && isInScope(run, keysOf(row)),
      LastRun: lastRunOf(row),
    })),
    Groups: distinctNames(rows.map((row) => row.Group)),
    Functions: distinctNames(rows.map((row) => row.Function)),
  };
}

const keysOf = ({ Id, Schema }: ListRow) => ({ Id, Schema });

/** Returns the distinct names in order. An empty string means "no name" and is dropped. */
export function distinctNames(names: readonly string[]): string[] {
  return [...new Set(names)].filter((name) => name !== '').sort((a, b) => a.localeCompare(b, 'en'));
}

export function displayInfo(json: string): Static<typeof DisplayInfo> {
  return JSON.parse(json) as Static<typeof DisplayInfo>;
}

export function workbookRegion({ definition: { region } }: ActivityVersion): Pick<Activity, 'WorkbookRegion'> {
  return region ? { WorkbookRegion: { Id: region.id, Source: region.source } } : {};
}

/** @param hasAccess decides by the definition's HasAccessRight. @param presets by input id. */
export function inputsOf(
  version: ActivityVersion,
  hasAccess: (right: string) => boolean,
  presets: ReadonlyMap<number, string> = new Map(),
): Input[] {
  return version.inputs.map((input) => {
    const { Id, Name, Description, Info, HasAccessRight } = input;
    const PresetValue = presets.get(Id) ?? null;
    return {
      Id,
      ActivityId: version.ActivityId,
      Name,
      Description,
      HasAccess: hasAccess(HasAccessRight),
      PresetValue,
      PresetValueError: PresetValue === null ? null : presetError(input, PresetValue),
      Info,
    };
  });
}

/** A preset applies to all later versions of an activity. If it no longer fits one, the message says so. */
function presetError(input: ActivityVersion['inputs'][number], preset: string): string | null {
  const issue = presetIssue(input, preset);
  return issue === null ? null : `The preset value does not fit this version: ${issue}`;
}

/** @param valueOf returns the value by output id. */
export function outputsOf(version: ActivityVersion, valueOf: (id: number) => string | null = () => null): Output[] {
  return version.outputs.map(({ Id, Name, Description, Info }) => ({
    Id,
    ActivityId: version.ActivityId,
    Name,
    Description,
    Info,
    Value: valueOf(Id),
  }));
}
