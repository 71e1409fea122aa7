/** Converts database rows to the shapes of the contract. */
import { isInScope } from '#server/access/rights/right-scope.ts';
import type { Activity, ActivityList, DisplayInfo } from '#shared/contract/activities.ts';
import type { Static } from 'typebox';
import type { ActivityScopes } from '#server/access/activity-scopes.ts';
import type { ListRow } from './activities-repository.ts';
import type { ActivityVersion } from '#server/versions/version-catalog.ts';
import { lastRunOf } from '#server/versions/last-run.ts';

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
