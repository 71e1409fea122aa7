/**
 * Traces as a receiver gets them, with the portal in this process, which executes the runs of its own pool, and a
 * worker in another process.
 */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadConfig } from '#server/config/load-config.ts';
import { createSessionsService } from '#server/features/sessions/sessions-service.ts';
import { createUsersService } from '#server/features/users/users-service.ts';
import { namesOf } from './trace-statements.ts';
import type { Activity } from '#shared/contract/activities.ts';
import { serverProcess, type ServerProcess } from '#test/faults/server-process.ts';
import { buildWorkbook } from '#test/support/build-workbook.ts';
import { testDatabase, type TestDatabase } from '#test/support/database.ts';
import { startHttpPeer, type HttpPeer } from '#test/support/peers/http.ts';
import { isFullSet } from '#test/support/test-set.ts';
import { until } from '#test/support/until.ts';
import { TEST_PASSWORD } from '#test/support/users.ts';
import { startServer, type RunningServer } from '#server/compose/start-server.ts';

const KEY = 'receivers-own-secret';
/** Milliseconds; the first run of a process waits for its threads, and the machine may be busy. */
const RUN_LIMIT = 60_000;
/** A value that only the run may see. */
const TYPED = 'Confidential-73219';

let database: TestDatabase;
let receiver: HttpPeer;
let folder: string;
let api: RunningServer;
let worker: ServerProcess;
let token: string;
let activity: Activity;

beforeAll(async () => {
  [database, receiver, folder] = await Promise.all([
    testDatabase(),
    startHttpPeer(),
    mkdtemp(join(tmpdir(), 'runsheet-traces-')),
  ]);
  const settings = {
    RUNSHEET_DATABASE_URL: database.url,
    RUNSHEET_DATA_DIR: folder,
    RUNSHEET_TRACES_URL: `${receiver.url}/v1/traces`,
    RUNSHEET_TRACES_HEADERS: `X-Receiver-Key=${KEY}`,
    RUNSHEET_SAMPLES: 'false',
    RUNSHEET_WORKER_THREADS: '1',
  };
  const config = loadConfig({ ...settings, RUNSHEET_WORKER_POOLS: 'here', RUNSHEET_PORT: '0' });
  api = await startServer({ config, log: pino({ level: 'silent' }), onAdministrator: () => {} });
  worker = serverProcess('worker', { ...settings, RUNSHEET_ROLE: 'worker' });
  [token, activity] = await Promise.all([administratorsToken().then(publish), worker.start()]).then(
    ([published]) => published,
  );
});
afterAll(async () => {
  await worker?.stop();
  await api?.stop();
  await receiver.stop();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

async function administratorsToken(): Promise<string> {
  const person = { UserName: 'tracer', password: TEST_PASSWORD, IsUserAdmin: true };
  const userId = await createUsersService(database).createUser(person);
  const log = pino({ level: 'silent' });
  const sessions = createSessionsService({ database, log, tokenMinutes: 30, inactivityMinutes: 30, sessionHours: 24 });
  return (await sessions.start(database.knex, userId, '127.0.0.1')).token;
}

async function publish(own: string): Promise<[string, Activity]> {
  const bytes = await buildWorkbook({
    sheets: [{ name: 'S', cells: { A1: 'some text', B1: { formula: 'LEN(A1)', value: 9 } } }],
    names: { in_Text: 'S!$A$1', out_Length: 'S!$B$1' },
  });
  const form = new FormData();
  const fields = {
    Name: 'Traced',
    Schema: 'General',
    SingleRun: 'false',
    ChangeDescription: 'First',
    AcceptUnsupported: '[]',
  };
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set('file', new Blob([Buffer.from(bytes)]), 'traced.xlsx');
  const headers = { authorization: `Bearer ${own}` };
  const created = await fetch(`${api.address}/api/activities/create`, { method: 'POST', headers, body: form });
  const { Id } = (await created.json()) as { Id: number };
  const details = await fetch(`${api.address}/api/activities/details/${Id}`, { headers });
  return [own, ((await details.json()) as { result: Activity }).result];
}

/** Returns the run's status once it has ended. */
async function run(headers: Record<string, string> = {}): Promise<{ Id: number; status: string }> {
  const body = JSON.stringify({
    ActivityId: activity.Id,
    ActivityVersion: activity.Version,
    UniqueId: null,
    Inputs: [{ ActivityParameterId: activity.Inputs[0]!.Id, Value: JSON.stringify(TYPED) }],
  });
  const answer = await fetch(`${api.address}/api/activities/start`, {
    method: 'POST',
    body,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
  });
  const { result } = (await answer.json()) as { result: { Id: number } };
  const status = await until(
    'the end of the run',
    async () => {
      const row = (await database.knex('ActivityRuns').where('Id', result.Id).first('Status', 'EndTime')) as {
        Status: string;
        EndTime: Date | null;
      };
      return row.EndTime && row.Status;
    },
    RUN_LIMIT,
  );
  return { Id: result.Id, status };
}

interface Sent {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: { key: string; value: Record<string, unknown> }[];
  status: { code?: number };
  /** Identifies the process that sent it. */
  instance: string;
}

interface Body {
  resourceSpans: {
    resource: { attributes: Sent['attributes'] };
    scopeSpans: { spans: Omit<Sent, 'instance'>[] }[];
  }[];
}

const valueOf = (attributes: Sent['attributes'], wanted: string): unknown =>
  Object.values(attributes.find(({ key }) => key === wanted)?.value ?? {})[0];

const sent = (): Sent[] =>
  receiver.received
    .flatMap(({ body }) => (JSON.parse(body) as Body).resourceSpans)
    .flatMap(({ resource, scopeSpans }) => {
      const instance = String(valueOf(resource.attributes, 'service.instance.id'));
      return scopeSpans.flatMap(({ spans }) => spans.map((span) => ({ ...span, instance })));
    });

const caller = (flags = '01') => {
  const [traceId, spanId] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')];
  return { traceId, spanId, headers: { traceparent: `00-${traceId}-${spanId}-${flags}` } };
};

test('a run is one trace, from its caller over the queue and the worker of another process to the calculation', async () => {
  const { traceId, spanId, headers } = caller();
  const { Id, status } = await run(headers);
  expect(status).toBe('Succeeded');
  const spans = await until('all spans of the run', () => {
    const own = sent().filter((span) => span.traceId === traceId);
    return own.some(({ name }) => name === 'run') && own.some(({ name }) => name.startsWith('POST')) && own;
  });
  const one = (name: string): Sent => {
    const found = spans.filter((span) => span.name === name);
    expect(found, `${name} among ${spans.map((span) => span.name).join(', ')}`).toHaveLength(1);
    return found[0]!;
  };
  const call = one('POST /api/activities/start');
  expect([call.parentSpanId, call.kind, valueOf(call.attributes, 'http.response.status_code')]).toEqual([
    spanId,
    2,
    200,
  ]);
  const work = one('run');
  expect([work.parentSpanId, work.kind]).toEqual([call.spanId, 5]);
  expect(Number(valueOf(work.attributes, 'runsheet.run.id'))).toBe(Id);
  expect(valueOf(work.attributes, 'runsheet.run.status')).toBe('Succeeded');
  expect(one('queue').parentSpanId).toBe(call.spanId);
  const calculation = one('calculation');
  expect(calculation.parentSpanId).toBe(work.spanId);
  expect(BigInt(calculation.endTimeUnixNano) >= BigInt(calculation.startTimeUnixNano)).toBe(true);
  expect(work.instance).not.toBe(call.instance);
  // Statements are children of the span that executed them.
  const below = (parent: Sent) => spans.filter((span) => span.parentSpanId === parent.spanId && span.kind === 3);
  expect(below(call).map(({ name }) => name)).toContain('insert ActivityRuns');
  expect(below(work).map(({ name }) => name)).toContain('update ActivityRuns');
  expect(below(work).every(({ attributes }) => valueOf(attributes, 'db.system.name') !== undefined)).toBe(true);
});

test.runIf(isFullSet)(
  'a run that goes from its start straight to a worker of the same process is of its call, without a queue',
  async () => {
    const moved = await fetch(`${api.address}/api/activities/queueing/${activity.Id}`, {
      method: 'POST',
      body: JSON.stringify({ Pool: 'here', Priority: 'Normal', RunsAtOnce: null }),
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    });
    expect(moved.status).toBe(200);
    // While the worker polls the queue, a start goes through the queue; the next one may not.
    const spans = await until(
      'a run that went straight to the worker',
      async () => {
        const { traceId, headers } = caller();
        await run(headers);
        const own = await until('all spans of the run', () => {
          const found = sent().filter((span) => span.traceId === traceId);
          return found.some(({ name }) => name === 'run') && found.some(({ name }) => name.startsWith('POST')) && found;
        });
        return own.every(({ name }) => name !== 'queue') && own;
      },
      45_000,
    );
    const [call, work] = ['POST /api/activities/start', 'run'].map((wanted) =>
      spans.find(({ name }) => name === wanted)!,
    );
    expect([work!.parentSpanId, work!.instance]).toEqual([call!.spanId, call!.instance]);
    expect(spans.find(({ name }) => name === 'calculation')!.parentSpanId).toBe(work!.spanId);
  },
);

test.runIf(isFullSet)(
  'traces hold neither what people typed nor what lets somebody in, and the receiver gets its header',
  async () => {
    await fetch(`${api.address}/token`, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'password', username: 'tracer', password: 'a wrong Password-1' }),
    });
    await until('the sign-in', () => sent().some(({ name }) => name === 'POST /token'));
    const all = receiver.received.map(({ body }) => body).join('\n');
    expect(all).toContain('insert ActivityRuns');
    for (const secret of [TYPED, token, TEST_PASSWORD, 'wrong Password', 'tracer', KEY, folder])
      expect(all).not.toContain(secret);
    const keys = new Set(sent().flatMap(({ attributes }) => attributes.map(({ key }) => key)));
    expect([...keys].filter((key) => /text|statement|url|address|message|user/.test(key))).toEqual([]);
    expect(
      receiver.received.every(({ path, headers }) => path === '/v1/traces' && headers['x-receiver-key'] === KEY),
    ).toBe(true);
  },
);

test.runIf(isFullSet)('what its caller does not sample is not sent', async () => {
  const { traceId, headers } = caller('00');
  expect((await run(headers)).status).toBe('Succeeded');
  // Wait until a later trace has arrived from both processes.
  const later = caller();
  await run(later.headers);
  await until('the later run', () => {
    const own = sent().filter((span) => span.traceId === later.traceId);
    return own.some(({ name }) => name === 'run') && own.some(({ name }) => name.startsWith('POST'));
  });
  expect(sent().filter((span) => span.traceId === traceId)).toEqual([]);
});

test.runIf(isFullSet)('a receiver that does not answer, refuses or is away costs no run', async () => {
  for (const answer of [null, 503, 400] as const) {
    receiver.answer = answer;
    const before = receiver.received.length;
    const results = await Promise.all(Array.from({ length: 3 }, () => run()));
    expect(results.map(({ status }) => status)).toEqual(['Succeeded', 'Succeeded', 'Succeeded']);
    await until('the receiver was asked', () => receiver.received.length > before);
    receiver.hangUp();
  }
  await receiver.stop();
  expect((await run()).status).toBe('Succeeded');
});

test('a statement is named by what it does with which table of ours', () => {
  const name = (sql: string): string => namesOf(sql).name;
  expect(name('select "Id" from "Users" where "UserName" = $1')).toBe('select Users');
  expect(name('with "Given" as (select 1) insert into "ActivityRuns" ("Id") select 1 from "Given"')).toBe(
    'insert ActivityRuns',
  );
  expect(name('update [ActivityRuns] set [Status] = @p0')).toBe('update ActivityRuns');
  expect(name('delete from "RunInputs" where "Id" = $1')).toBe('delete RunInputs');
  expect(name('begin;')).toBe('begin');
  expect(name('select * from "secret value" where x = \'y\'')).toBe('select');
  expect(name('')).toBe('statement');
});
