/** A portal whose runs may use mails, files, connections and prompts, with the real executor; for tests of steps. */
import { pino } from 'pino';
import { createDeltaBases } from '#server/files/deltas.ts';
import type { Config } from '#server/config/config-schema.ts';
import { loadConfig } from '#server/config/load-config.ts';
import type { NamedConnections } from '#server/config/connection-settings.ts';
import { createWorkbookExecutor } from '#server/executors/workbook/workbook-executor.ts';
import { startJobs } from '#server/queue/worker/start-jobs.ts';
import { createRunSteps } from '#server/queue/steps/run-steps.ts';
import { createMailSender } from '#server/mail/mail-sender.ts';
import { createPdfConverter, findPdfProgram } from '#server/pdf/pdf-converter.ts';
import type { WorkbookProblem } from '#shared/contract/fidelity.ts';
import type { Input } from '#shared/contract/parameters.ts';
import type { ActivityRun } from '#shared/contract/runs.ts';
import { isPending } from '#shared/contract/run-status.ts';
import { testApp, type TestApp } from './app.ts';
import { buildWorkbook, type CellSpec, type SheetSpec, type WorkbookSpec } from './build-workbook.ts';
import { testDatabase, type TestDatabase } from './database.ts';
import { MAIL_SERVER_CERTIFICATE, MAIL_USER, startSmtpPeer, type SmtpPeer } from './peers/smtp.ts';
import { multipart } from './portal.ts';
import { untilProgress } from './until.ts';
import { signedInUser } from './users.ts';

type SignedInUser = Awaited<ReturnType<typeof signedInUser>>;

interface CallAnswer {
  status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- bodies of all calls, which tests look into
  body: any;
}

export interface StepPortal {
  app: TestApp;
  mails: SmtpPeer;
  author: SignedInUser;
  runner: SignedInUser;
  pdfProgram: string | null;
  /** The database of the named connections. */
  target: TestDatabase;
  /** Returns the activity's Id, or its problems. */
  publish(spec: WorkbookSpec, name: string): Promise<number | WorkbookProblem[]>;
  /** Starts a run with values by input name and returns its Id. */
  start(activityId: number, values?: Record<string, unknown>): Promise<number>;
  get(runId: number, user?: SignedInUser): Promise<ActivityRun>;
  ended(runId: number): Promise<ActivityRun>;
  /** Publishes and runs the workbook and waits for the end. */
  run(spec: WorkbookSpec, name: string, values?: Record<string, unknown>): Promise<ActivityRun>;
  call(method: 'GET' | 'POST', url: string, payload?: object, user?: SignedInUser): Promise<CallAnswer>;
  file(runId: number, output: string): Promise<{ name: string; content: Buffer }>;
  close(): Promise<void>;
}

export async function startStepPortal(
  connections: (url: string) => NamedConnections = () => ({}),
  more: Partial<Config> = {},
): Promise<StepPortal> {
  const mails = await startSmtpPeer();
  const executor = createWorkbookExecutor({ threads: 1, formThreads: 1 });
  const settings = {
    smtpHost: 'localhost',
    smtpPort: mails.port,
    smtpSecurity: 'starttls' as const,
    smtpUser: MAIL_USER.name,
    smtpPassword: MAIL_USER.password,
    mailFrom: 'runsheet@example.com',
    mailDomains: ['example.com'],
  };
  const mail = createMailSender(settings, { ca: MAIL_SERVER_CERTIFICATE });
  const pdfProgram = await findPdfProgram();
  const target = await testDatabase({ migrated: false, isPostgres: true });
  const app = await testApp({
    executor,
    mail,
    canMakePdf: pdfProgram !== null,
    settings: { ...settings, connections: connections(target.url), ...more },
  });
  await app.database.knex('Schemas').insert({ Name: 'Steps', DisplayName: 'Steps', Order: 1 });
  const author = await signedInUser(app, [
    'sk.RunActivity',
    'sk.CreateActivity',
    'sk.EditActivity',
    'sk.UseConnection',
  ]);
  const runner = await signedInUser(app, ['sk.RunActivity', 'sk.UseConnection']);
  const steps = createRunSteps({
    database: app.database,
    mail,
    mailDomains: settings.mailDomains,
    pdf: pdfProgram === null ? null : createPdfConverter(pdfProgram),
    connections: app.connections,
    folders: app.folders,
    findHolder: async (UserId) => ({ UserId, IsUserAdmin: false }),
    findStartable: app.findStartable,
  });
  const { database, fileStore: files } = app;
  const job = { database, versions: app.versions, files, deltaBases: createDeltaBases(files), executor, steps };
  const isLicensed = async (): Promise<boolean> => true;
  const log = pino({ level: 'silent' });
  const stopJobs = startJobs(
    { ...job, log, isLicensed },
    app.signals,
    { ...loadConfig({}), workerThreads: 1 },
    { hasNotifications: false },
  );
  const stopChildRuns = app.childRuns.start(null);

  const call: StepPortal['call'] = async (method, url, payload, user = runner) => {
    const answer = await app.http.inject({ method, url, headers: user.headers, ...(payload ? { payload } : {}) });
    return { status: answer.statusCode, body: answer.json() };
  };
  const get: StepPortal['get'] = async (runId, user) =>
    (await call('GET', `/api/activities/status/${runId}?activity=true`, undefined, user)).body.result;
  const ended: StepPortal['ended'] = (runId) =>
    untilProgress(
      `the end of run ${runId}`,
      () => get(runId),
      ({ Status }) => !isPending(Status),
    );
  const publish: StepPortal['publish'] = async (spec, name) => {
    const { headers, payload } = multipart({ Id: '0', Schema: 'Steps', Name: name, SingleRun: 'false' }, [
      { name: 'Book.xlsx', content: await buildWorkbook(spec) },
    ]);
    const answer = await app.http.inject({
      method: 'POST',
      url: '/api/activities/create',
      headers: { ...headers, ...author.headers },
      payload,
    });
    const body = answer.json();
    return body.Id ?? body.Faults ?? Promise.reject(new Error(answer.body));
  };
  const start: StepPortal['start'] = async (activityId, values = {}) => {
    const { Inputs } = (await call('GET', `/api/activities/details/${activityId}`)).body.result as { Inputs: Input[] };
    const given = Object.entries(values).map(([name, value]) => ({
      ActivityParameterId: Inputs.find(({ Name }) => Name === name)!.Id,
      Value: JSON.stringify(value),
    }));
    const { body } = await call('POST', '/api/activities/start', {
      ActivityId: activityId,
      ActivityVersion: 1,
      UniqueId: null,
      Inputs: given,
    });
    if (!body.result) throw new Error(JSON.stringify(body));
    return body.result.Id;
  };
  return {
    app,
    mails,
    author,
    runner,
    pdfProgram,
    target,
    publish,
    start,
    get,
    ended,
    call,
    run: async (spec, name, values) => {
      const id = await publish(spec, name);
      if (typeof id !== 'number') throw new Error(JSON.stringify(id));
      return ended(await start(id, values));
    },
    file: async (runId, output) => {
      const run = await get(runId);
      const { Id } = run.Outputs.find(({ Name }) => Name === output)!;
      const { body } = await call('GET', `/api/activities/output/download/${runId}/${Id}`);
      const answer = await app.http.inject({ method: 'GET', url: `/api/files/download/${body.result}` });
      const stored = run.StoredFiles.find(({ ActivityParameterId }) => ActivityParameterId === Id)!;
      return { name: stored.FileName, content: answer.rawPayload };
    },
    close: async () => {
      await stopJobs();
      await stopChildRuns();
      await app.close();
      await executor.close();
      await target.drop();
      await mails.stop();
    },
  };
}

/** The Portal sheet with a table of steps; each row is an object by column. */
export function stepSheet(steps: Record<string, CellSpec>[]): SheetSpec {
  const columns = [...new Set(steps.flatMap((step) => Object.keys(step)))];
  const letter = (index: number): string => String.fromCharCode(65 + index);
  const cells: Record<string, CellSpec> = {};
  for (const [x, column] of columns.entries()) {
    cells[`${letter(x)}1`] = column;
    for (const [y, step] of steps.entries())
      if (step[column] !== undefined) cells[`${letter(x)}${y + 2}`] = step[column];
  }
  const ref = `A1:${letter(columns.length - 1)}${steps.length + 1}`;
  return { name: 'Portal', cells, tables: [{ name: 'PortalSteps', ref, columns }] };
}

export const messagesOf = (run: ActivityRun): string[] => run.LogEntries.map(({ Message }) => Message);
