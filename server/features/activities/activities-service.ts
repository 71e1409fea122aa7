/**
 * Activities for the people who view and run them. Publishing is in publish-service.ts, versions in
 * versions-service.ts.
 */
import { AppError } from '#server/base/app-error.ts';
import type { QueueingColumns } from '#shared/contract/queueing.ts';
import type { Database } from '#server/db/database.ts';
import type { LinksService } from '#server/features/links/links-service.ts';
import { isInScope } from '#server/access/rights/right-scope.ts';
import type { RightsService } from '#server/access/rights/rights-service.ts';
import { listSchemas } from '#server/access/schemas.ts';
import type { Person } from '#server/base/person.ts';
import type { Activity, LastRun } from '#shared/contract/activities.ts';
import { isFileInput } from '#shared/codecs/input-form.ts';
import type { Input, InputInfo } from '#shared/contract/parameters.ts';
import { findActivity, type ActivityRow } from '#server/access/find-activity.ts';
import { findActivityOfInput, hasPendingRun } from './activities-repository.ts';
import type { ActivityAccess, VisibleActivity } from '#server/access/activity-access.ts';
import { createListAnswers, type ListedActivity, type ListedChecklists } from './list-answers.ts';
import { createListSnapshot } from './list-snapshot.ts';
import { createOwnRuns } from './own-runs.ts';
import { inputsOf, outputsOf } from '#server/versions/version-views.ts';
import { findLastRun, lastRunOf } from '#server/versions/last-run.ts';
import { displayInfo, workbookRegion } from './activity-views.ts';
import { createPresetsReader, listPresetsOf } from './presets-repository.ts';
import type { ActivityVersion, VersionCatalog } from '#server/versions/version-catalog.ts';

export type { ListedActivity, ListedChecklists } from './list-answers.ts';

export interface ActivitiesService {
  /** Returns the serialized response of the list: {result: ActivityList}. */
  list(person: Person): Promise<Buffer>;
  details(person: Person, activityId: number): Promise<Activity>;
  allowedSchemas(person: Person): Promise<{ Name: string }[]>;
  /** Returns a file input of an activity that the person may run. Throws an AppError 404 if there is no such input. */
  fileInput(person: Person, inputId: number): Promise<FileInput>;
  /** Returns the inputs of a version with the person's access rights and the preset values. */
  inputsFor(
    person: Person,
    activity: Pick<ActivityRow, 'Id' | 'Schema'>,
    version: ActivityVersion,
    presets?: PresetTexts,
  ): Promise<Input[]>;
  /** Returns the newest version without checking rights; undefined if there is no such activity. */
  newestVersion(activityId: number): Promise<ActivityVersion | undefined>;
  /** Returns the newest run of the activity that the person may see. */
  lastRunOf(person: Person, visible: Pick<VisibleActivity, 'activity' | 'CanViewRuns'>): Promise<LastRun | null>;
  /** Returns the id of the activity that the input belongs to; undefined if there is no such input. */
  activityOfInput(inputId: number): Promise<number | undefined>;
  /**
   * Returns the preset values of an activity. A caller of `inputsFor` can read them in parallel with other work and
   * pass them in.
   */
  presetsOf(activityId: number): Promise<PresetTexts>;
  /** Returns the preset values of several activities, by activity id. Activities without presets have no entry. */
  presetsOfAll(activityIds: readonly number[]): Promise<ReadonlyMap<number, PresetTexts>>;
}

/** Preset values by input id. */
export type PresetTexts = ReadonlyMap<number, string>;

/** Describes the input that a file is uploaded for. */
export interface FileInput {
  Id: number;
  ActivityId: number;
  Name: string;
  Info: InputInfo;
}

/** Reads an activity's schedule and the retention period of its runs; null if none is set. */
export interface ActivityPlans {
  schedule: (activityId: number) => Promise<Activity['Schedule']>;
  retention: (activityId: number) => Promise<Activity['RunRetention']>;
}

export interface ActivitiesDeps {
  database: Database;
  rights: RightsService;
  access: ActivityAccess;
  versions: VersionCatalog;
  links: Pick<LinksService, 'of'>;
  plans: ActivityPlans;
  checklists: ChecklistsOfList;
}

/** Returns the checklists in a person's list. @param activities all activities, read after the call began */
export type ChecklistsOfList = (
  person: Person,
  activities: () => Promise<{ rows: readonly ListedActivity[] }>,
) => Promise<ListedChecklists>;

export function createActivitiesService(deps: ActivitiesDeps): ActivitiesService {
  const { database, rights, access, versions } = deps;
  const { knex } = database;

  async function currentVersion({ Id, Version }: ActivityRow): Promise<ActivityVersion> {
    const version = await versions.get(Id, Version);
    if (!version) throw new Error(`activity ${Id} has no version ${Version}`);
    return version;
  }

  const presetsOf = createPresetsReader(knex);

  const inputsFor: ActivitiesService['inputsFor'] = (...of) => readInputs(presetsOf, access, ...of);

  const lastRunFor: ActivitiesService['lastRunOf'] = async (person, { activity, CanViewRuns }) =>
    lastRunOf(await findLastRun(knex, 'ActivityId', activity.Id, CanViewRuns ? undefined : person.UserId));

  return {
    inputsFor,
    newestVersion: async (activityId) => {
      const activity = await findActivity(knex, activityId);
      return activity && versions.get(activityId, activity.Version);
    },
    lastRunOf: lastRunFor,
    activityOfInput: (inputId) => findActivityOfInput(knex, inputId),
    presetsOf,
    presetsOfAll: (activityIds) => listPresetsOf(knex, activityIds),
    list: createLister(database, access, deps.checklists),
    details: async (person, activityId) => {
      const visible = await access.require(knex, person, activityId);
      const { activity, CanEdit, CanRun } = visible;
      const version = await currentVersion(activity);
      const { DisplayInfo, ...fields } = activity;
      return {
        ...pickFields(fields),
        DisplayInfo: displayInfo(DisplayInfo),
        ...workbookRegion(version),
        Procedure: CanEdit ? (version.definition.procedure?.settings ?? null) : null,
        CanEdit,
        CanRun,
        Inputs: await inputsFor(person, activity, version),
        Outputs: outputsOf(version),
        ActivityLinks: await deps.links.of(person, activityId),
        ...(CanEdit ? await plansOf(deps.plans, activityId) : NO_PLANS),
        LastRun: await lastRunFor(person, visible),
        IsRunning: activity.SingleRun && (await hasPendingRun(knex, activityId)),
      };
    },
    allowedSchemas: async (person) => {
      const scope = await rights.scope(person, 'sk.CreateActivity');
      const schemas = await listSchemas(knex);
      return schemas.filter(({ Name }) => isInScope(scope, { Schema: Name })).map(({ Name }) => ({ Name }));
    },
    fileInput: async (person, inputId) => {
      const missing = new AppError('inputNotFound', 404, 'There is no such input');
      const activityId = await findActivityOfInput(knex, inputId);
      if (activityId === undefined) throw missing;
      const { activity, CanRun } = await access.require(knex, person, activityId);
      const input = (await currentVersion(activity)).inputs.find(({ Id }) => Id === inputId);
      if (!CanRun || !input || !isFileInput(input.Info)) throw missing;
      return { ...input, ActivityId: activityId };
    },
  };
}

function createLister(
  database: Database,
  access: ActivityAccess,
  checklistsOf: ChecklistsOfList,
): ActivitiesService['list'] {
  const snapshot = createListSnapshot(database);
  const ownRuns = createOwnRuns(database);
  const answers = createListAnswers();

  return async (person) => {
    const reading = snapshot.current();
    const [scopes, state, checklists] = await Promise.all([
      access.scopes(person),
      reading,
      checklistsOf(person, () => reading),
    ]);
    if (scopes.viewRuns.kind === 'every') return answers.of(state, scopes, checklists);
    // A person who may not see all runs gets only their own last runs for the other activities.
    return answers.of(state, scopes, checklists, await ownRuns.of(person.UserId, state));
  };
}

const NO_PLANS = { Schedule: null, RunRetention: null };

async function plansOf(
  { schedule, retention }: ActivityPlans,
  activityId: number,
): Promise<Pick<Activity, 'Schedule' | 'RunRetention'>> {
  const [Schedule, RunRetention] = await Promise.all([schedule(activityId), retention(activityId)]);
  return { Schedule, RunRetention };
}

/** Picks the fields that are part of the contract; the row has a few more columns. */
function pickFields(row: Omit<ActivityRow, 'DisplayInfo'>): Omit<ActivityRow, 'DisplayInfo' | keyof QueueingColumns> {
  const { Id, Version, Type, ProcedureName, Schema, Name, Description, SingleRun, IsActive } = row;
  const { Group, Function, Order, MemoryCost, Revision } = row;
  return {
    Id,
    Revision,
    Version,
    Type,
    ProcedureName,
    Schema,
    Name,
    Description,
    SingleRun,
    IsActive,
    Group,
    Function,
    Order,
    MemoryCost,
  };
}

/** Sets HasAccess by the right that each input's definition names, and adds the preset values. */
async function readInputs(
  presetsOf: ActivitiesService['presetsOf'],
  access: ActivityAccess,
  person: Person,
  activity: Pick<ActivityRow, 'Id' | 'Schema'>,
  version: ActivityVersion,
  known?: PresetTexts,
): Promise<Input[]> {
  const names = new Set(version.inputs.map((input) => input.HasAccessRight));
  const held = new Set<string>();
  for (const name of names) if (await access.holdsNamed(person, name, activity)) held.add(name);
  const presets = known ?? (version.inputs.length > 0 ? await presetsOf(activity.Id) : new Map<number, string>());
  return inputsOf(version, (right) => held.has(right), presets);
}
