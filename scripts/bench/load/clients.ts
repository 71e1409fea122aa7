/** Clients that start runs and wait for them; a server that is away is left for the next, with the same UniqueId. */
import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { givenInputs, type Work } from './mixes.ts';
import type { Installation, LoadServer } from './servers.ts';

export interface Measured {
  /** From the start to the answer that the run has succeeded, milliseconds. */
  times: number[];
  /** Runs whose start was answered. */
  acknowledged: Set<number>;
  /** Ended as anything but Succeeded, such as those of a server that was killed. */
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

/** So many clients, each with one run after the other, until the time is over. */
export async function runClients(
  installation: Installation,
  work: Work,
  options: { clients: number; seconds: number; isWaiting: boolean },
): Promise<Measured> {
  const measured: Measured = { times: [], acknowledged: new Set(), others: 0, repeated: 0 };
  const until = performance.now() + options.seconds * 1000;
  const clients = Array.from({ length: options.clients }, async (_, at) => {
    while (performance.now() < until) {
      const begun = performance.now();
      const { Id, Status } = await startOne(installation, work, { ...options, at, measured });
      measured.acknowledged.add(Id);
      if (Status === 'Succeeded' || !options.isWaiting) measured.times.push(performance.now() - begun);
      else measured.others += 1;
    }
  });
  await Promise.all(clients);
  return measured;
}

/** Until its start is answered, or where it is waited for, until it has ended. */
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
    Inputs ??= await givenInputs(work, server, installation);
    const started = Inputs && (await startRun(server, installation, bodyOf(work, Inputs, UniqueId), prefer));
    if (started && !(isWaiting && PENDING.includes(started.Status))) return started;
    // A run that was not waited for to its end is asked for again by the same start.
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

/** Undefined where the server did not answer. */
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

/** By the plain client of Node, which takes less of the processors that are measured than fetch does. */
function post(address: string, headers: Record<string, string>, body: string): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const length = { 'content-length': Buffer.byteLength(body) };
  const call = request(address, { agent, method: 'POST', headers: { ...headers, ...length } }, (answer) => {
    text(answer)
      .then((told) => ({ status: answer.statusCode!, body: JSON.parse(told) as Answer['body'] }))
      .then(resolve, reject);
  });
  call.on('error', reject).end(body);
  return promise;
}

/** Starts so many runs without waiting for any, a hundred calls at once. */
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
