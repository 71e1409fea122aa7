/** The API with a worker, and a connection to a database of procedures, on the server that the tests use. */
import { pino } from 'pino';
import { expect } from 'vitest';
import type { ConnectionSettings } from '#server/config/connection-settings.ts';
import { loadConfig } from '#server/config/load-config.ts';
import type { Executor } from '#server/executors/executor.ts';
import { runProcedure } from '#server/executors/procedure/procedure-executor.ts';
import { createRunProcedures } from '#server/queue/procedures/run-procedures.ts';
import { runHolder } from '#server/queue/steps/run-holder.ts';
import { startJobs } from '#server/queue/worker/start-jobs.ts';
import type { Activity } from '#shared/contract/activities.ts';
import type { ProcedureDescription, TrialRun } from '#shared/contract/procedures.ts';
import type { ParameterSettings, ProcedureSettings } from '#shared/contract/procedure-settings.ts';
import { testApp, type TestApp } from './app.ts';
import { testDatabase, type TestDatabase } from './database.ts';
import { createFakeExecutor } from './fake-executor.ts';
import { untilEnded } from './until.ts';
import { signedInUser } from './users.ts';

type SignedInUser = Awaited<ReturnType<typeof signedInUser>>;
type Headers = SignedInUser['headers'];
type ResultColumnSettings = NonNullable<ProcedureSettings['Results']>[number]['Columns'][number];

interface Answer {
  status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- bodies of all calls, which tests look into
  body: any;
}

export interface Sql {
  pg: string[];
  mssql: string[];
}

export interface ProcedurePortal {
  app: TestApp;
  /** The database of the procedures. */
  shop: TestDatabase;
  isPg: boolean;
  schema: string;
  /** May create, edit and run activities and use the connection. */
  editor: SignedInUser;
  /** May run activities and use the connection. */
  runner: SignedInUser;
  /** Calls below /api/activities/, as the editor by default. */
  get: (url: string, headers?: Headers) => Promise<Answer>;
  post: (url: string, payload?: unknown, headers?: Headers) => Promise<Answer>;
  make: (sql: Sql) => Promise<void>;
  /** Returns the ProcedureName of the procedure with this name. */
  nameOf: (procedure: string) => Promise<string>;
  describe: (procedure: string) => Promise<ProcedureDescription>;
  /** Creates an activity of the procedure and returns its details. */
  create: (procedure: string, change?: (settings: ProcedureSettings) => void, more?: object) => Promise<Activity>;
  /** Like create; results that the catalog does not describe come from a trial run with these values. */
  createWithResults: (
    procedure: string,
    values: Record<string, unknown>,
    change?: (settings: ProcedureSettings) => void,
  ) => Promise<Activity>;
  details: (id: number, headers?: Headers) => Promise<Activity>;
  /** Starts a run with values by input name; missing inputs use their default. */
  start: (activity: Activity, values?: Record<string, unknown>, headers?: Headers) => Promise<Answer>;
  /** Returns the finished run. */
  run: (activity: Activity, values?: Record<string, unknown>, headers?: Headers) => Promise<FinishedRun>;
  ended: (runId: number) => Promise<FinishedRun>;
  close: () => Promise<void>;
}

export interface FinishedRun {
  Id: number;
  Status: string;
  /** Values of outputs by name. */
  outputs: Record<string, unknown>;
  log: string[];
  // oxlint-disable-next-line typescript/no-explicit-any -- the answer of the status call, which tests look into
  body: any;
}

export interface PortalSettings {
  connection?: Partial<ConnectionSettings>;
  /** Changes the URL that the connection uses for its database. */
  wayTo?: (url: string) => string;
  /** Seconds. */
  runTimeLimit?: number;
  leaseSeconds?: number;
  /** Executor for workbooks; a fake one by default. */
  executor?: Executor;
  /** False for a portal without a worker. */
  works?: boolean;
}

const MAKES = ['sk.RunActivity', 'sk.CreateActivity', 'sk.EditActivity', 'sk.UseConnection', 'sk.ViewRuns'] as const;

export async function startProcedurePortal(sql: Sql, settings: PortalSettings = {}): Promise<ProcedurePortal> {
  const shop = await testDatabase({ migrated: false });
  const isPg = shop.dialect.name === 'pg';
  const schema = isPg ? 'public' : 'dbo';
  const own = { url: settings.wayTo?.(shop.url) ?? shop.url, procedureSchemas: [schema], ...settings.connection };
  const executor = settings.executor ?? createFakeExecutor();
  const app = await testApp({ executor, settings: { connections: { Shop: own } } });
  await app.database.knex('Schemas').insert({ Name: 'Shop', DisplayName: 'Shop', Order: 1 });
  const editor = await signedInUser(app, [...MAKES, 'sk.PurgeRuns']);
  const runner = await signedInUser(app, ['sk.RunActivity', 'sk.UseConnection']);
  const stopJobs = settings.works === false ? async () => {} : workOn(app, settings);
  const calls = callsOf(app, editor);
  const make = async (statements: Sql): Promise<void> => {
    for (const statement of isPg ? statements.pg : statements.mssql)
      await shop.knex.raw(statement.replaceAll('?', '\\?'));
  };
  await make(sql);
  return {
    app,
    shop,
    isPg,
    schema,
    editor,
    runner,
    make,
    ...calls,
    ...activitiesOf(calls, schema),
    close: async () => {
      await stopJobs();
      await app.close();
      await shop.drop();
    },
  };
}

/** Starts a worker of the portal and returns a function that stops it. */
export function workOn(
  app: TestApp,
  {
    runTimeLimit = 60,
    leaseSeconds = 30,
    executor = createFakeExecutor(),
  }: Omit<PortalSettings, 'connection' | 'wayTo'> = {},
): () => Promise<void> {
  const findHolder = async (userId: number) => {
    const user = await app.users.findById(userId);
    return user?.Enabled ? { UserId: user.UserId, IsUserAdmin: user.IsUserAdmin, fromInternet: false } : undefined;
  };
  const context = {
    database: app.database,
    versions: app.versions,
    files: app.fileStore,
    executor,
    procedures: createRunProcedures({
      connections: app.connections,
      holderOf: (runId) => runHolder(app.database, runId, findHolder),
      execute: runProcedure,
    }),
    log: pino({ level: 'silent' }),
    isLicensed: async () => true,
  };
  const config = { ...loadConfig({}), workerThreads: 2, runTimeLimitSeconds: runTimeLimit, leaseSeconds };
  return startJobs(context, app.signals, config, { hasNotifications: false });
}

type Calls = Pick<ProcedurePortal, 'get' | 'post'>;

function callsOf(app: TestApp, editor: SignedInUser): Calls {
  const call = async (method: 'GET' | 'POST', url: string, headers: Headers, payload?: unknown): Promise<Answer> => {
    const sent = payload === undefined ? {} : { payload: payload as object };
    const answer = await app.http.inject({ method, url: `/api/activities/${url}`, headers: { ...headers }, ...sent });
    return { status: answer.statusCode, body: answer.json() };
  };
  return {
    get: (url, headers = editor.headers) => call('GET', url, headers),
    post: (url, payload, headers = editor.headers) => call('POST', url, headers, payload),
  };
}

let made = 0;

type Activities = Pick<
  ProcedurePortal,
  'nameOf' | 'describe' | 'create' | 'createWithResults' | 'details' | 'start' | 'run' | 'ended'
>;

function activitiesOf({ get, post }: Calls, schema: string): Activities {
  const nameOf: Activities['nameOf'] = async (procedure) => {
    const { body } = await get('procedures');
    const full = `Shop: ${schema}.${procedure}`;
    const items = body.result.Items as { ProcedureName: string }[];
    const names = items.map(({ ProcedureName }) => ProcedureName);
    const found = names.filter((name) => name === full || name.startsWith(`${full}(`));
    if (found.length !== 1) throw new Error(`${found.length} procedures are named ${full}: ${names.join(', ')}`);
    return found[0]!;
  };
  const describe: Activities['describe'] = async (procedure) => {
    const answer = await post('procedures/describe', { ProcedureName: await nameOf(procedure) });
    expect(answer.body.message ?? '').toBe('');
    return answer.body.result;
  };
  const details: Activities['details'] = async (id, headers) => (await get(`details/${id}`, headers)).body.result;
  const create: Activities['create'] = async (procedure, change, more = {}) => {
    const { ProcedureName, Settings } = await describe(procedure);
    change?.(Settings);
    const answer = await post('createStoredProcedureActivity', {
      ...activityFields(`${procedure} ${++made}`.slice(0, 30)),
      ProcedureName,
      Procedure: Settings,
      ...more,
    });
    expect(answer.body.message ?? '').toBe('');
    return details(answer.body.result.Id);
  };
  const createWithResults: Activities['createWithResults'] = async (procedure, values, change) => {
    const { ProcedureName, Results } = await describe(procedure);
    const learnt = Results.length > 0 ? null : await resultsOfTrial(post, ProcedureName, values);
    return create(procedure, (settings) => {
      settings.Results = learnt;
      change?.(settings);
    });
  };
  const start: Activities['start'] = (activity, values = {}, headers) =>
    post(
      'start',
      { ActivityId: activity.Id, ActivityVersion: activity.Version, Inputs: sent(activity, values) },
      headers,
    );
  const ended: Activities['ended'] = async (runId) => {
    const body = await untilEnded(`run ${runId}`, async () => (await get(`status/${runId}`)).body.result);
    return {
      Id: runId,
      Status: body.Status,
      outputs: Object.fromEntries(
        body.Outputs.map(({ Name, Value }: { Name: string; Value: string | null }) => [
          Name,
          Value === null ? null : JSON.parse(Value),
        ]),
      ),
      log: body.LogEntries.map(({ Message }: { Message: string }) => Message),
      body,
    };
  };
  return {
    nameOf,
    describe,
    details,
    create,
    createWithResults,
    start,
    ended,
    run: async (...of) => {
      const answer = await start(...of);
      expect(answer.body.modelState ?? answer.body.message ?? '').toBe('');
      return ended(answer.body.result.Id);
    },
  };
}

async function resultsOfTrial(
  post: ProcedurePortal['post'],
  ProcedureName: string,
  values: Record<string, unknown>,
): Promise<ProcedureSettings['Results']> {
  const Values = Object.entries(values).map(([Name, value]) => ({
    Name,
    Value: JSON.stringify(value),
    LeftOut: false,
  }));
  const { body } = await post('procedures/trial', { ProcedureName, Values, Confirmed: true });
  expect(body.message ?? '').toBe('');
  const { Results } = body.result as TrialRun;
  return Results.map(({ Columns }, index) => ({
    DisplayName: `Result${index + 1}`,
    Columns: Columns.map(({ Name, CellUsage }) => ({
      Name,
      CellUsage: CellUsage as ResultColumnSettings['CellUsage'],
    })),
  }));
}

/** The fields that the editor writes. */
export const activityFields = (Name: string) => ({
  Name,
  Schema: 'Shop',
  Description: '',
  SingleRun: false,
  IsActive: true,
  Group: '',
  Function: '',
  Order: null,
  MemoryCost: 0,
});

/** Returns values as a form sends them. */
export function sent({ Inputs }: Activity, values: Record<string, unknown>): object[] {
  const unknown = Object.keys(values).find((name) => !Inputs.some(({ Name }) => Name === name));
  if (unknown !== undefined) throw new Error(`there is no input ${unknown}`);
  return Inputs.map(({ Id, Name }) =>
    Name in values
      ? { ActivityParameterId: Id, Value: JSON.stringify(values[Name]) }
      : { ActivityParameterId: Id, Value: null, UseDefault: true },
  );
}

export const settingsOf = (settings: ProcedureSettings, name: string): ParameterSettings =>
  settings.Parameters.find(({ Name }) => Name === name)!;
