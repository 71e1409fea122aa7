/**
 * The choices that the pickers of a form offer: items of lists, values of a condition's columns, values from a
 * database.
 */
import { AppError, createModelState } from '#server/base/app-error.ts';
import type { ConnectionAccess } from '#server/connections/connection-access.ts';
import type { ResultValue } from '#server/connections/types.ts';
import type { Database } from '#server/db/database.ts';
import type { ActivitiesService } from '#server/features/activities/activities-service.ts';
import type { ActivityAccess } from '#server/access/activity-access.ts';
import type { ActivityVersion, VersionCatalog, VersionInput } from '#server/versions/version-catalog.ts';
import type { LinkedForms } from '#server/features/links/linked-forms-service.ts';
import type { Log } from '#server/base/log.ts';
import type { Person } from '#server/base/person.ts';
import { findColumn } from '#shared/codecs/condition-columns.ts';
import type { PickerPage, PickerQuery } from '#shared/contract/activities.ts';
import type { Input, RunInputValue } from '#shared/contract/parameters.ts';
import { FORM_ISSUE } from '#shared/rules/input-rules.ts';
import { pickFrom } from '#shared/rules/list-picker.ts';
import { connectionIssues, connectionNames, takesConnection } from './connection-inputs.ts';
import { missingValues, pageOf, PICKER_TIME_LIMIT } from './database-picker.ts';
import { createParameters } from './picker-parameters.ts';
import { databaseValueIssues, pickedValues } from './picked-values.ts';
import { createValueSources, translateConnectionErrors } from './value-sources.ts';

export interface PickersService {
  pick(person: Person, column: PickerColumn, query: PickerQuery, signal: AbortSignal): Promise<PickerPage>;
  /**
   * Throws an AppError 400 with messages by input name if a value is not allowed by its Database picker.
   * @param values as a run would store them
   */
  checkValues(
    person: Person,
    version: ActivityVersion,
    inputs: readonly Input[],
    values: readonly RunInputValue[],
  ): Promise<void>;
}

export interface PickerColumn {
  activityId: number;
  inputId: number;
  /** Index of the column, from 0. */
  index: number;
}

export interface PickersDeps {
  database: Database;
  access: ActivityAccess;
  activities: ActivitiesService;
  versions: VersionCatalog;
  connections: ConnectionAccess;
  log: Log;
  linkedForm: LinkedForms;
}

export function createPickersService(deps: PickersDeps): PickersService {
  const { database, access, activities, versions, connections, log } = deps;
  const sources = createValueSources(connections);
  return {
    pick: async (person, { activityId, inputId, index: column }, body, signal) => {
      const { activity } = await access.require(database.knex, person, activityId);
      const linked = body.LinkId ? await deps.linkedForm(person, body.LinkId, { ActivityId: activityId }) : null;
      const version = await versions.get(activity.Id, activity.Version);
      const input = version?.inputs.find(({ Id }) => Id === inputId);
      if (!version || !input) throw notFound();
      const items = listed(input, column, body);
      if (items) return pickFrom(items, body);
      if (takesConnection(input.Info, column)) return pickFrom(await connectionNames(connections, person), body);
      if (!input.pickerQueries?.[column]) throw notFound();
      const own = await activities.inputsFor(person, activity, version);
      const parameters = createParameters(linked?.inputsOf(own) ?? own, body.OtherInputValues ?? []);
      return translateConnectionErrors(log, async () =>
        pageOf(await sources.of(person, { version, input, column }, parameters, signal), body, signal),
      );
    },
    checkValues: async (person, version, inputs, values) => {
      const signal = AbortSignal.timeout(CHECK_TIME_LIMIT);
      const parameters = createParameters(inputs, values);
      const modelState = createModelState();
      for (const input of version.inputs) {
        const missing = new Map<number, ReadonlySet<ResultValue>>();
        for (const { column, values: picked } of pickedValues(inputs, input, values)) {
          const found = await translateConnectionErrors(log, async () =>
            missingValues(await sources.of(person, { version, input, column }, parameters, signal), picked, signal),
          );
          missing.set(column, found);
        }
        const issues = [
          ...databaseValueIssues(input.Info, missing),
          ...(await connectionIssues(connections, person, input, values)),
        ];
        if (issues.length > 0) modelState[input.Name] = issues;
      }
      if (Object.keys(modelState).length > 0) throw new AppError('inputsInvalid', 400, FORM_ISSUE, { modelState });
    },
  };
}

/** Milliseconds for checking all values of a start. */
const CHECK_TIME_LIMIT = 2 * PICKER_TIME_LIMIT;

const notFound = (): AppError => new AppError('pickerNotFound', 404, 'There is no such list of values');

/** Returns the items stored with the version; null if a database must be queried. */
function listed(input: VersionInput, column: number, { ColumnName }: PickerQuery): readonly string[] | null {
  const picker = input.Info.Pickers[column];
  if (picker?.Type !== 'Condition') return input.pickerItems[column] ?? null;
  const columns = picker.Columns ?? [];
  if (!ColumnName) return columns.map(({ Name }) => Name);
  const known = columns.some(({ Name }) => Name.toLowerCase() === ColumnName.toLowerCase());
  if (!known) throw notFound();
  return input.conditionValues?.[column]?.[findColumn(ColumnName, columns).Name] ?? [];
}
