/**
 * Thousands of nearly valid calls over all routes, without a user, by an ordinary user and by an administrator.
 * RUNSHEET_HOSTILE_SEED repeats a run or chooses another: a number, or 'any'.
 */
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Endpoint } from '#shared/contract/endpoint.ts';
import { contractEndpoints } from '#test/support/contract.ts';
import { anySeed, seededRandom } from '#test/support/seeded-random.ts';
import { isOtherMakersServer, UNPAIRED_SURROGATE } from '#test/support/sql-server.ts';
import { rounds } from '#test/support/test-set.ts';
import type { TestUser } from '#test/support/users.ts';
import { createCallGenerator, type HostileCall } from './calls/generate-calls.ts';
import { portalUnderFire, type PortalUnderFire } from './calls/portal-under-fire.ts';
import { watchChanges, type Change, type ChangeWatch } from './calls/watch-changes.ts';

/** Fewer on SQL Server, where each call takes longer. */
const CALLS = process.env['RUNSHEET_TEST_DATABASE_URL'] ? 2_000 : rounds(600, 10_000);
/** For routes that start a thread or generate a key for each accepted call. */
const CALLS_OF_SLOW = rounds(6, 12);
const SLOW =
  /errorreport|downloadsample|List\/download|versionchanges|generatekey|data\/download|downloadFiles|\/pdf\//;
/** Nothing here takes this long; a later response means a hang. */
const HANGS_MS = 30_000;
const MAX_PROBLEMS = 40;

const wanted = process.env['RUNSHEET_HOSTILE_SEED'];
const random = seededRandom(wanted === 'any' ? anySeed() : Number(wanted) || 20_261_121);
const generator = createCallGenerator(random);

let portal: PortalUnderFire;
let watch: ChangeWatch;
let isOtherMakers = false;
let endpoints: Endpoint[];

beforeAll(async () => {
  portal = await portalUnderFire();
  endpoints = (await contractEndpoints()).toSorted((a, b) => weight(a) - weight(b));
  // The first visitor creates the user that represents all visitors.
  await portal.app.http.inject('/api/public/activities/details/1');
  watch = await watchChanges(portal.app.database.knex);
  isOtherMakers = await isOtherMakersServer(portal.app.database.knex);
});
afterAll(() => portal.close());

/** Calls that remove what other calls need come last. */
const weight = ({ path }: Endpoint): number =>
  [/purge|rollback/i, /activities\/(update|create)$/].findIndex((pattern) => pattern.test(path)) + 1;

/** A refused call may update only the last use of a session. */
const isOfSession = ({ table, operation }: Change): boolean => table === 'Sessions' && operation === 'UPDATE';

/** Internals of the program that responses must not reveal. */
const INTERNALS =
  /node_modules|\bat .+\.ts:|\bselect .+ from\b|relation "|invalid byte sequence|syntax error at|\bECONN/i;

interface Answer {
  status: number;
  problem?: string;
}

/** Reads only the head of an event stream, which does not end. */
async function inject(call: HostileCall): Promise<{ status: number; body: string }> {
  const answer = await portal.app.http.inject({ ...call, payloadAsStream: true });
  const stream = answer.stream();
  const isEndless = String(answer.headers['content-type']).startsWith('text/event-stream');
  if (isEndless) stream.destroy();
  return { status: answer.statusCode, body: isEndless ? '' : await text(stream) };
}

async function answerTo(call: HostileCall): Promise<Answer> {
  const answered = new AbortController();
  const hangs = pause(HANGS_MS, undefined, { signal: answered.signal }).catch(() => undefined);
  const answer = await Promise.race([inject(call), hangs]);
  answered.abort();
  if (answer === undefined) return { status: 0, problem: 'hangs' };
  const { status, body } = answer;
  const changes = await watch.take();
  if (status >= 500) {
    const error = portal.lastError();
    if (isOtherMakers && UNPAIRED_SURROGATE.test(error)) return { status };
    return { status, problem: `answers ${body}: ${error}` };
  }
  if (status < 400) return { status };
  const wrong = changes.filter((change) => !isOfSession(change));
  if (wrong.length > 0) return { status, problem: `is refused with ${status} and changes ${JSON.stringify(wrong)}` };
  return INTERNALS.test(body) ? { status, problem: `tells too much: ${body}` } : { status };
}

const shown = ({ method, url, headers, payload = '' }: HostileCall): string =>
  `${method} ${url.slice(0, 300)} ${JSON.stringify(headers)} ${JSON.stringify(payload.toString().slice(0, 500))}`;

/** A sixth of the calls have no user, a third an ordinary user, the rest an administrator. */
const callerOf = (share: number): TestUser | undefined =>
  [undefined, portal.user, portal.user, portal.admin, portal.admin, portal.admin][Math.floor(share * 6)];

async function sendCalls(endpoint: Endpoint, calls: number): Promise<{ statuses: number[]; problems: string[] }> {
  const { known, upload } = await portal.prepare(endpoint.path);
  await watch.take();
  const statuses: number[] = [];
  const problems: string[] = [];
  let headers: Record<string, string> = {};
  let signedIn: TestUser | undefined;
  for (let made = 0; made < calls; made += 1) {
    const caller = callerOf(made / calls);
    if (caller === undefined) headers = { authorization: random.pick(['', 'Bearer made-up', 'Basic YTpi']) };
    // Calls may log out or disable their user or change the password.
    else if (caller !== signedIn || statuses.at(-1) === 401) {
      headers = await portal.headersOf(caller);
      await watch.take();
    }
    signedIn = caller;
    const call = generator.callOf(endpoint, known, upload);
    const { status, problem } = await answerTo({ ...call, headers: { ...call.headers, ...headers } });
    statuses.push(status);
    if (problem) problems.push(`${caller?.UserName ?? 'nobody'}: ${shown(call)} ${problem}`);
    if (problems.length === MAX_PROBLEMS) break;
  }
  return { statuses, problems };
}

describe('hostile calls', { timeout: 900_000 }, () => {
  test('make nothing fail or hang, and change nothing where they are refused', async () => {
    const slow = endpoints.filter(({ path }) => SLOW.test(path)).length;
    const each = Math.ceil((CALLS - slow * CALLS_OF_SLOW) / (endpoints.length - slow));
    const statuses: number[] = [];
    const problems: string[] = [];
    for (const endpoint of endpoints) {
      const fired = await sendCalls(endpoint, SLOW.test(endpoint.path) ? CALLS_OF_SLOW : each);
      statuses.push(...fired.statuses);
      problems.push(...fired.problems.slice(0, MAX_PROBLEMS - problems.length));
    }
    expect(problems, `seed ${random.seed}`).toEqual([]);
    expect(statuses.length).toBeGreaterThanOrEqual(CALLS);
    // The calls get through: every stage that can reject has rejected some, and some calls were executed.
    for (const status of [400, 401, 403, 404, 415]) expect(statuses).toContain(status);
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(CALLS / 20);
  });

  test('leave no file behind that nothing refers to', async () => {
    const { files } = await portal.app.fileStore.list('', 100_000);
    const known = await portal.app.database.knex('StoredFiles').pluck<string[]>('StoreKey');
    expect(files.length).toBeGreaterThan(0);
    expect(files.map(({ key }) => key).filter((key) => !known.includes(key))).toEqual([]);
  });
});
