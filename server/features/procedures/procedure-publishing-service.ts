/** Publishes a stored procedure as an activity, or as a new version of one. */
import { isDeepStrictEqual } from 'node:util';
import { AppError } from '#server/base/app-error.ts';
import type { Person } from '#server/base/person.ts';
import type { ConnectionAccess } from '#server/connections/connection-access.ts';
import type { Database } from '#server/db/database.ts';
import type { ActivityDefinition } from '#server/executors/activity-definition.ts';
import type { ActivityAccess } from '#server/access/activity-access.ts';
import { editableOf } from '#server/versions/activity-editor.ts';
import { checkPickerQueries } from '#server/features/pickers/picker-queries-service.ts';
import type { RightsService } from '#server/access/rights/rights-service.ts';
import { requireCreate, type Publisher } from '#server/access/require-create.ts';
import { refusingTakenNames } from '#server/versions/activity-names.ts';
import { checkMemoryCost, checkSubmission } from '#server/versions/check-submission.ts';
import { storeVersion } from '#server/versions/store-version.ts';
import { NEW_ACTIVITY } from '#server/versions/upload-fields.ts';
import type { ActivityVersion, VersionCatalog } from '#server/versions/version-catalog.ts';
import type { ActivityCreation } from '#shared/contract/activities.ts';
import type { BodyOf } from '#shared/contract/endpoint.ts';
import { PROCEDURE_NAME_MAX, type ProcedureSettings } from '#shared/contract/procedure-settings.ts';
import type { updateProcedure } from '#shared/contract/procedures.ts';
import type { ActivityUpload } from '#shared/contract/versions.ts';
import { parseMemoryCost, parseOrder } from '#shared/rules/activity-rules.ts';
import { procedureNameOf, type FoundProcedure, type ProcedureAccess } from './procedure-access.ts';
import { definitionProblems, definitionOf, firstSettings, fittingSettings } from './procedure-definition-of.ts';
import { procedureChanges, refusesRuns } from './procedure-drift.ts';

/** The fields of an activity to store, and the settings of its procedure. */
export interface ProcedureChange {
  upload: ActivityUpload;
  settings: ProcedureSettings;
}

export interface ProcedurePublishing {
  create(person: Publisher, activity: ActivityCreation, signal: AbortSignal): Promise<{ Id: number; Version: number }>;
  /** Creates a new version with the current procedure. */
  refresh(
    person: Person,
    change: BodyOf<typeof updateProcedure>,
    signal: AbortSignal,
  ): Promise<{ Id: number; Version: number }>;
  /**
   * Returns whether the settings differ from those of the newest version. Throws an AppError if the person may not use
   * the connection.
   */
  needsVersion(person: Person, activityId: number, settings: ProcedureSettings | null): Promise<boolean>;
  /** Creates a new version with other settings. Throws an AppError if the procedure itself has changed. */
  change(person: Person, change: ProcedureChange, signal: AbortSignal): Promise<{ Id: number; Version: number }>;
  /** Creates a new version with the settings of an older one. */
  rollBack(person: Person, activityId: number, to: ActivityVersion, text: string, signal: AbortSignal): Promise<number>;
}

export interface ProcedurePublishingDeps {
  database: Database;
  rights: RightsService;
  access: ActivityAccess;
  versions: VersionCatalog;
  connections: ConnectionAccess;
  procedureAccess: ProcedureAccess;
}

export function createProcedurePublishing(deps: ProcedurePublishingDeps): ProcedurePublishing {
  const { database, access, procedureAccess } = deps;
  const { knex } = database;

  async function newVersion(
    person: Person,
    Id: number,
    change: {
      Revision: number | null | undefined;
      text: (found: FoundProcedure) => string;
      settings: ProcedureSettings;
    },
    signal: AbortSignal,
  ) {
    const { activity } = await access.requireEdit(knex, person, Id);
    await currentProcedure(deps, Id, activity.Version);
    const found = await procedureAccess.findAgain(person, activity.ProcedureName ?? '', signal);
    const { NameKey: _, ...fields } = editableOf(activity);
    const upload = {
      ...NEW_ACTIVITY,
      ...fields,
      Id,
      Schema: activity.Schema,
      Revision: change.Revision,
      ChangeDescription: change.text(found).slice(0, 1000),
    };
    return store(deps, person, { upload, settings: change.settings, found }, signal);
  }

  return {
    create: (person, activity, signal) => create(deps, person, activity, signal),
    refresh: async (person, { Id, Revision, ChangeDescription = '', Procedure }, signal) => {
      const { activity } = await access.requireEdit(knex, person, Id);
      const { settings, pinned } = await currentProcedure(deps, Id, activity.Version);
      const text = ({ procedure }: FoundProcedure): string =>
        ChangeDescription.trim() || `Updated: ${procedureChanges(pinned, procedure).join('; ') || 'nothing changed'}`;
      return newVersion(person, Id, { Revision, text, settings: Procedure ?? settings }, signal);
    },
    needsVersion: async (person, activityId, sent) => {
      const { activity } = await access.requireEdit(knex, person, activityId);
      const { settings, connection } = await currentProcedure(deps, activityId, activity.Version);
      await procedureAccess.connection(person, connection);
      return sent !== null && !isDeepStrictEqual(sent, settings);
    },
    change: async (person, { upload, settings }, signal) => {
      const { activity } = await access.requireEdit(knex, person, upload.Id);
      const { pinned } = await currentProcedure(deps, upload.Id, activity.Version);
      const found = await procedureAccess.findAgain(person, activity.ProcedureName ?? '', signal);
      if (refusesRuns(pinned, found.procedure)) {
        const text = `The procedure has changed since version ${activity.Version}: update the activity first`;
        throw new AppError('procedureChanged', 409, text);
      }
      return store(deps, person, { upload, settings, found }, signal);
    },
    rollBack: async (person, activityId, { definition }, text, signal) => {
      const settings = definition.procedure?.settings;
      if (!settings) throw new AppError('versionFileMissing', 404, 'This activity version file does not exist');
      const change = { Revision: null, text: () => text, settings };
      return (await newVersion(person, activityId, change, signal)).Version;
    },
  };
}

async function currentProcedure({ versions }: ProcedurePublishingDeps, activityId: number, number: number) {
  const version = await versions.get(activityId, number);
  const procedure = version?.definition.procedure;
  if (!procedure) throw new AppError('noProcedure', 409, 'The activity does not run a stored procedure');
  return procedure;
}

async function create(
  deps: ProcedurePublishingDeps,
  person: Publisher,
  { ProcedureName = null, Procedure, ...sent }: ActivityCreation,
  signal: AbortSignal,
): Promise<{ Id: number; Version: number }> {
  const { database, rights, procedureAccess } = deps;
  await requireCreate({ knex: database.knex, rights }, person, sent.Schema);
  const [Order, MemoryCost] = [parseOrder(sent.Order), parseMemoryCost(sent.MemoryCost)];
  const kind = { Id: 0, Type: 'StoredProcedure', ProcedureName, HasFile: false, ChangeDescription: '' } as const;
  checkSubmission({ ...sent, ...kind, Order });
  checkMemoryCost(MemoryCost);
  const found = await procedureAccess.find(person, ProcedureName!, signal);
  const upload = { ...NEW_ACTIVITY, ...sent, Order: Order ?? null, MemoryCost };
  return store(deps, person, { upload, settings: Procedure ?? firstSettings(found), found }, signal);
}

async function store(
  { database, rights, connections }: ProcedurePublishingDeps,
  person: Publisher,
  { upload, settings, found }: ProcedureChange & { found: FoundProcedure },
  signal: AbortSignal,
): Promise<{ Id: number; Version: number }> {
  const fitting = fittingSettings(found, settings);
  const definition = definitionOf(found, fitting);
  // A new version drops the settings of removed parameters; a new activity is refused if it has such settings.
  const problems = definitionProblems(found, upload.Id === 0 ? settings : fitting, definition);
  if (problems.length === 0) problems.push(...(await queryProblems(connections, person, definition, signal)));
  const ProcedureName = procedureNameOf(found.connection.name, found.procedure.name);
  if (ProcedureName.length > PROCEDURE_NAME_MAX)
    problems.push('The name of the procedure with its arguments is too long');
  if (problems.length > 0) {
    const modelState = { Procedure: problems };
    throw new AppError('procedureRefused', 422, problems.join('\n'), { modelState });
  }
  return refusingTakenNames(database, () =>
    storeVersion({ database, rights }, person, upload, { ProcedureName }, { definition, fidelity: null }),
  );
}

async function queryProblems(
  connections: ConnectionAccess,
  person: Publisher,
  definition: ActivityDefinition,
  signal: AbortSignal,
): Promise<string[]> {
  const { problems } = await checkPickerQueries(connections, person, definition, signal);
  return problems.map(({ Message, Remedy }) => `${Message} ${Remedy}`);
}
