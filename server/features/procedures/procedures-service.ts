/** Procedures for authors of activities: which exist, their details, and how they differ from an activity's version. */
import { AppError } from '#server/base/app-error.ts';
import type { Holder, Person } from '#server/base/person.ts';
import type { ConnectionAccess } from '#server/connections/connection-access.ts';
import { ConnectionError } from '#server/connections/connection-error.ts';
import type { NamedConnection } from '#server/connections/types.ts';
import type { Database } from '#server/db/database.ts';
import type { RunOutcome } from '#server/executors/executor.ts';
import type { ProcedureRequest } from '#server/executors/procedure-call.ts';
import type { ActivityAccess } from '#server/access/activity-access.ts';
import type { RightsService } from '#server/access/rights/rights-service.ts';
import type { VersionCatalog } from '#server/versions/version-catalog.ts';
import type { BodyOf } from '#shared/contract/endpoint.ts';
import {
  TRIAL_WARNING,
  type ProcedureDescription,
  type ProcedureItem,
  type ProcedureState,
  type TrialRun,
  type tryProcedure,
} from '#shared/contract/procedures.ts';
import { describedProcedure, kindOf } from './describe-procedure.ts';
import { procedureNameOf, type ProcedureAccess } from './procedure-access.ts';
import { procedureChanges, refusesRuns } from './procedure-drift.ts';
import { tryOut } from './procedure-trial.ts';

export interface ProceduresService {
  list(person: Person, signal: AbortSignal): Promise<{ Items: ProcedureItem[]; Messages: string[] }>;
  describe(person: Holder, procedureName: string, signal: AbortSignal): Promise<ProcedureDescription>;
  /** Throws an AppError 409 with the warning if it was not confirmed. */
  tryOut(person: Person, body: BodyOf<typeof tryProcedure>, signal: AbortSignal): Promise<TrialRun>;
  state(person: Person, activityId: number, signal: AbortSignal): Promise<ProcedureState>;
}

export interface ProceduresDeps {
  database: Database;
  rights: RightsService;
  access: ActivityAccess;
  versions: VersionCatalog;
  connections: ConnectionAccess;
  procedureAccess: ProcedureAccess;
  execute: (request: ProcedureRequest) => Promise<RunOutcome>;
}

export function createProceduresService(deps: ProceduresDeps): ProceduresService {
  const { procedureAccess, connections, rights } = deps;
  return {
    list: async (person, signal) => {
      await requireAuthor(rights, person);
      const asked = await Promise.all((await connections.list(person)).map((one) => proceduresOf(one, signal)));
      return {
        Items: asked.flatMap(({ Items }) => Items),
        Messages: asked.flatMap(({ Message }) => (Message === null ? [] : [Message])),
      };
    },
    describe: async (person, procedureName, signal) => {
      await requireAuthor(rights, person);
      return describedProcedure(await procedureAccess.find(person, procedureName, signal));
    },
    tryOut: async (person, { ProcedureName, Values, Confirmed }, signal) => {
      await requireAuthor(rights, person);
      const found = await procedureAccess.find(person, ProcedureName, signal);
      if (!Confirmed) throw new AppError('trialNotConfirmed', 409, TRIAL_WARNING);
      return tryOut(deps.execute, found, Values, signal);
    },
    state: (person, activityId, signal) => stateOf(deps, person, activityId, signal),
  };
}

/** Procedures are visible only to people who may create or edit activities. */
async function requireAuthor(rights: RightsService, person: Holder): Promise<void> {
  const scopes = await Promise.all([
    rights.scope(person, 'sk.CreateActivity'),
    rights.scope(person, 'sk.EditActivity'),
  ]);
  if (scopes.every(({ kind }) => kind === 'nothing'))
    throw new AppError('forbidden', 403, 'You do not have permissions for this operation');
}

async function proceduresOf(
  { name: ConnectionName, procedures }: NamedConnection,
  signal: AbortSignal,
): Promise<{ Items: ProcedureItem[]; Message: string | null }> {
  try {
    const found = await procedures.list(signal);
    const Items = found.map((one) => ({
      ProcedureName: procedureNameOf(ConnectionName, one.name),
      ConnectionName,
      Kind: kindOf(one),
      Refusals: [...one.refusals],
    }));
    return { Items, Message: null };
  } catch (error) {
    // One unreachable database must not hide the procedures of the others.
    if (!(error instanceof ConnectionError)) throw error;
    return { Items: [], Message: error.message };
  }
}

async function stateOf(
  { database, access, versions, procedureAccess }: ProceduresDeps,
  person: Person,
  activityId: number,
  signal: AbortSignal,
): Promise<ProcedureState> {
  const { activity } = await access.requireEdit(database.knex, person, activityId);
  const { Version } = activity;
  const pinned = (await versions.get(activityId, Version))?.definition.procedure?.pinned;
  const ProcedureName = activity.ProcedureName ?? '';
  if (!pinned) throw new AppError('noProcedure', 409, 'The activity does not run a stored procedure');
  const unknown = { ProcedureName, Version, Description: null, Changes: [] };
  try {
    const found = await procedureAccess.findAgain(person, ProcedureName, signal);
    return {
      ProcedureName,
      Version,
      Description: describedProcedure(found),
      Changes: procedureChanges(pinned, found.procedure),
      RunsRefused: refusesRuns(pinned, found.procedure),
      Message: '',
    };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { ...unknown, RunsRefused: error.code === 'procedureNotFound', Message: error.message };
  }
}
