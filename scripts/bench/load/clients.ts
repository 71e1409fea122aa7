/**
 * Clients that start runs and wait for them. If a server is unreachable, a client repeats the start on the next server
 * with the same UniqueId.
 */
import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { prepareInputs, type Work } from './mixes.ts';
import type { Installation, LoadServer } from './servers.ts';

export interface Measured {
  /** Milliseconds from the start to the response that the run has succeeded. */
  times: number[];
  /** Ids of the runs whose start the server confirmed. */
  acknowledged: Set<number>;
  /** Number of runs with any other status than Succeeded, such as those of a killed server. */
  others: number;
  /** Calls that failed and were repeated. */
  repeated: number;
}

interface Started {
  Id: number;
  Status: string;
}

const WAIT = 'wait=50';
const PENDING = ['Queued', 'QueuedInSeq', 'PickedUp', 'Started'];

/** Runs this many clients until the time is over. Each client starts one run after the other. */
export async function runClients(
  installation: Installation,
  work: Work,
  options: { clients: number; seconds: number; isWaiting: boolean },
): Promise<Measured> {
  const measured: Measured = { times: [], acknowledged: new Set(), others: 0, repeated: 0 };
  const until = performance.now() + options.seconds * 1000;
  const clients = Array.from({ length: options.clients }, async (_, at) => {
    while (performance.now() < until) {
      const startedAt = performance.now();
      const { Id, Status } = await startOne(installation, work, { ...options, at, measured });
      measured.acknowledged.add(Id);
      if (Status === 'Succeeded' || !options.isWaiting) measured.times.push(performance.now() - startedAt);
      else measured.others += 1;
    }
  });
  await Promise.all(clients);
  return measured;
}

/** Repeats the start until a server confirms it or, if the client waits for runs, until the run has ended. */
async function startOne(
  installation: Installation,
  work: Work,
  { at, measured, isWaiting }: { at: number; measured: Measured; isWaiting: boolean },
): Promise<Started> {
  const prefer = isWaiting ? WAIT : undefined;
  const UniqueId = randomUUID();
  let Inputs: Work['Inputs'] | undefined;
  for (let attempt = 0; ; attempt++) {
    const server = serverFor(installation, at + attempt);
    Inputs ??= await prepareInputs(work, server, installation);
    const started = Inputs && (await startRun(server, installation, bodyOf(work, Inputs, UniqueId), prefer));
    if (started && !(isWaiting && PENDING.includes(started.Status))) return started;
    // If the wait ended before the run, repeating the same start asks for the run again.
    if (!started) measured.repeated += 1;
    await pause(20);
  }
}

const bodyOf = ({ ActivityId, ActivityVersion }: Work, Inputs: Work['Inputs'], UniqueId: string): object => ({
  ActivityId,
  ActivityVersion,
  Inputs,
  UniqueId,
});

const serverFor = ({ servers }: Installation, at: number): LoadServer => {
  const alive = servers.filter(({ isAlive }) => isAlive);
  return alive[at % alive.length]!;
};

/** Returns undefined if the server did not respond. */
async function startRun(
  { address }: LoadServer,
  { headers }: Installation,
  body: object,
  prefer?: string,
): Promise<Started | undefined> {
  const wanted = { ...headers, 'content-type': 'application/json', ...(prefer === undefined ? {} : { prefer }) };
  const answer = await post(`${address}/api/activities/start`, wanted, JSON.stringify(body)).catch(() => undefined);
  if (!answer) return undefined;
  const { result, message } = answer.body;
  if (answer.status >= 400 && answer.status < 500) throw new Error(`a start was refused: ${message}`);
  return result;
}

interface Answer {
  status: number;
  body: { result?: Started; message?: string };
}

const agent = new Agent({ keepAlive: true });

/** Uses Node's plain HTTP client, which uses less of the measured processors than fetch does. */
function post(address: string, headers: Record<string, string>, body: string): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const length = { 'content-length': Buffer.byteLength(body) };
  const call = request(address, { agent, method: 'POST', headers: { ...headers, ...length } }, (answer) => {
    text(answer)
      .then((content) => ({ status: answer.statusCode!, body: JSON.parse(content) as Answer['body'] }))
      .then(resolve, reject);
  });
  call.on('error', reject).end(body);
  return promise;
}

/** Starts this many runs without waiting for their end, with a hundred concurrent calls. */
export async function startCrowd(installation: Installation, work: Work, count: number): Promise<Set<number>> {
  const acknowledged = new Set<number>();
  let left = count;
  const callers = Array.from({ length: 100 }, async (_, at) => {
    while (left > 0) {
      left -= 1;
      const UniqueId = randomUUID();
      let started: Started | undefined;
      while (!started)
        started = await startRun(serverFor(installation, at), installation, bodyOf(work, work.Inputs, UniqueId));
      acknowledged.add(started.Id);
    }
  });
  await Promise.all(callers);
  return acknowledged;
}
