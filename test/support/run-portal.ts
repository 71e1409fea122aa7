/** The API with workers whose runs do what a test defines, and an activity with inputs and outputs of several types. */
import { pino } from 'pino';
import type { AppDeps } from '#server/compose/app.ts';
import { createDeltaBases } from '#server/files/deltas.ts';
import { loadConfig } from '#server/config/load-config.ts';
import type { ActivityDefinition } from '#server/executors/activity-definition.ts';
import type { JobContext } from '#server/queue/worker/end-run.ts';
import { startJobs } from '#server/queue/worker/start-jobs.ts';
import { testApp, type TestApp } from './app.ts';
import { createFakeExecutor, SUCCESS, untilAborted, type FakeExecutor } from './fake-executor.ts';
import { input, output } from './portal.ts';
import { EMPTY_DEFINITION, insertActivity } from './runs.ts';
import { until, untilEnded } from './until.ts';
import { signedInUser } from './users.ts';

type SignedInUser = Awaited<ReturnType<typeof signedInUser>>;
type Headers = SignedInUser['headers'];

interface CallAnswer {
  status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- bodies of all calls, which tests look into
  body: any;
}

export interface RunPortal {
  app: TestApp;
  executor: FakeExecutor;
  owner: SignedInUser;
  stranger: SignedInUser;
  /** May see and cancel the runs of all users. */
  watcher: SignedInUser;
  ActivityId: number;
  /** Ids of the activity's inputs and outputs by name. */
  ids: Record<string, number>;
  /** Creates another activity of the same kind and returns its Id. */
  publish(more?: Partial<Parameters<typeof insertActivity>[1]>): Promise<number>;
  /** Calls below /api/activities/, as the owner by default. */
  get(url: string, headers?: Headers): Promise<CallAnswer>;
  post(url: string, payload?: object | null, headers?: Headers): Promise<CallAnswer>;
  amount(value: unknown): object;
  start(more?: Record<string, unknown>, headers?: Headers): Promise<CallAnswer>;
  /** Starts a run and returns its Id. */
  started(more?: Record<string, unknown>, headers?: Headers): Promise<number>;
  ended(runId: number): Promise<CallAnswer['body']>;
  /** Waits until the run has this status. */
  status(runId: number, wanted: string): Promise<unknown>;
  /** Holds all runs until the returned function is called. */
  holdRuns(): () => void;
  close(): Promise<void>;
}

const TABLE = {
  RangeType: 'RangeWithColumnHeaders' as const,
  ColumnHeaderValues: ['Day', 'Text', 'Rate'],
  Formats: ['dd/mm/yyyy', 'General', '0.00%'],
  CellUsages: ['Date' as const, 'Text' as const, 'Number' as const],
};
const definition: ActivityDefinition = {
  ...EMPTY_DEFINITION,
  inputs: [
    input('Amount'),
    input(
      'Colour',
      { CellUsages: ['Text'], Specifications: ['Optional'], Pickers: [{ Type: 'List', PreventOtherValues: true }] },
      [['red', 'blue']],
    ),
    input('File', { CellUsages: ['FilePath'], Blanks: [true], MaxSize: [10] }),
    input('Limited', { AllowDefaultValue: true }, [null], 'sk.PurgeRuns'),
  ],
  outputs: [output('Total'), output('Table', TABLE), output('Report', { CellUsages: ['FilePath'] })],
};

export interface RunPortalOptions extends Pick<AppDeps, 'onAnswered' | 'state'> {
  onEnded?: JobContext['onEnded'];
}

export async function startRunPortal({ onAnswered, state, onEnded }: RunPortalOptions = {}): Promise<RunPortal> {
  const executor = createFakeExecutor();
  const app = await testApp({ executor, onAnswered, state });
  const owner = await signedInUser(app, ['sk.RunActivity']);
  const stranger = await signedInUser(app, ['sk.RunActivity']);
  const watcher = await signedInUser(app, ['sk.RunActivity', 'sk.ViewRuns', 'sk.CancelAnyRun']);
  const publish: RunPortal['publish'] = async (more) => publishAs(app, owner.UserId, more);
  const ActivityId = await publish();
  const rows = await app.database.knex('ActivityParameters').where({ ActivityId }).select('Id', 'Name');
  const ids = Object.fromEntries(rows.map(({ Id, Name }) => [Name, Id])) as Record<string, number>;
  const people = { owner, stranger, watcher };
  const calls = callsOf(app, { ...people, ActivityId, ids });
  const stopJobs = startJobs(
    {
      database: app.database,
      versions: app.versions,
      files: app.fileStore,
      deltaBases: createDeltaBases(app.fileStore),
      executor,
      log: pino({ level: 'silent' }),
      isLicensed: async () => true,
      mayTake: () => state?.isDraining !== true,
      onEnded,
    },
    app.signals,
    { ...loadConfig({}), workerThreads: 3 },
    { hasNotifications: false },
  );
  const stopWorkflowEngine = app.workflowEngine.start(null);
  return {
    app,
    executor,
    ...people,
    ActivityId,
    ids,
    publish,
    ...calls,
    holdRuns: () => holdRuns(executor),
    close: async () => {
      await stopJobs();
      await stopWorkflowEngine();
      await app.close();
    },
  };
}

async function publishAs(
  app: TestApp,
  UserId: number,
  more: Partial<Parameters<typeof insertActivity>[1]> = {},
): Promise<number> {
  const { knex } = app.database;
  const { key, contentLength, sha256 } = await app.fileStore.put(Buffer.from('workbook'));
  const FileId = key.slice(0, 43);
  await knex('StoredFiles').insert({
    FileId,
    StoreKey: key,
    FileName: 'a.xlsx',
    ContentLength: contentLength,
    Sha256: sha256,
    Purpose: 'version',
  });
  return insertActivity(knex, { UserId, definition, FileId, ...more });
}

type Calls = Pick<RunPortal, 'get' | 'post' | 'amount' | 'start' | 'started' | 'ended' | 'status'>;

function callsOf(app: TestApp, of: Pick<RunPortal, 'owner' | 'watcher' | 'ActivityId' | 'ids'>): Calls {
  const { owner, watcher, ActivityId, ids } = of;
  let forms = 0;
  const get: Calls['get'] = async (url, headers = owner.headers) => {
    const answer = await app.http.inject({ url: `/api/activities/${url}`, headers });
    return { status: answer.statusCode, body: answer.json() };
  };
  const post: Calls['post'] = async (url, payload, headers = owner.headers) => {
    const answer = await app.http.inject({
      method: 'POST',
      url: `/api/activities/${url}`,
      headers,
      payload: payload ?? undefined,
    });
    return { status: answer.statusCode, body: answer.json() };
  };
  const amount: Calls['amount'] = (value) => ({ ActivityParameterId: ids['Amount'], Value: JSON.stringify(value) });
  const start: Calls['start'] = (more = {}, headers = owner.headers) => {
    const form = { ActivityId, ActivityVersion: 1, UniqueId: `form ${++forms}`, Inputs: [amount(5)] };
    return post('start', { ...form, ...more }, headers);
  };
  const seen = async (runId: number) => (await get(`status/${runId}`, watcher.headers)).body.result;
  return {
    get,
    post,
    amount,
    start,
    started: async (more, headers) => (await start(more, headers)).body.result.Id,
    ended: (runId) => untilEnded(`run ${runId}`, () => seen(runId)),
    status: (runId, wanted) => until(`run ${runId} is ${wanted}`, async () => (await seen(runId)).Status === wanted),
  };
}

function holdRuns(executor: FakeExecutor): () => void {
  let release: (() => void) | undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  executor.onRun = async (request) => {
    await Promise.race([held, untilAborted(request)]);
    return SUCCESS;
  };
  return () => {
    executor.onRun = async () => SUCCESS;
    release!();
  };
}
