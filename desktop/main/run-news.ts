/**
 * Tells of an account's runs by messages of the system, also while no page is looked at: of what the bell of the portal tells. One stream
 * of events says when there is something; the list says what. What was told once is not told again, also after a restart or a sleep.
 */
import { Type, type Static } from 'typebox';
import { Value } from 'typebox/value';
import { SERVER_TIME_HEADER, UNATTENDED_HEADER } from '#shared/contract/headers.ts';
import { LIVE_HEARTBEAT, liveEvents } from '#shared/contract/live.ts';
import { NotificationList, notifications, type Notification } from '#shared/contract/notifications.ts';
import { say } from './language.ts';
import type { Clock, Files, Log, Net, Notifier } from './ports.ts';

export interface RunNewsDeps {
  net: Net;
  clock: Clock;
  notifier: Notifier;
  files: Files;
  log: Log;
  /** Of the server, ends with '/'. */
  address: string;
  /** Where what was told is kept. */
  file: string;
  /** Null while nobody is signed in. */
  token: () => string | null;
  /** The server takes this token no more. @param serverNow milliseconds since 1970, by the server */
  onRefused?: (token: string, serverNow: number) => void;
  /** The server has answered this token, or goes on to. */
  onContact?: (token: string) => void;
  /** Whether the person is looking at this run. */
  isInView: (runId: number) => boolean;
  /** Whether the person wants to hear of failed runs alone. */
  failedOnly?: () => boolean;
  /** Comes forward at a path of the portal. */
  open: (path: string) => void;
}

/** What was told, where it cannot be kept. */
interface Memory {
  told: Told | null;
}

export interface RunNews {
  /** Somebody has signed in: looks at once. */
  wake(): void;
  stop(): void;
}

/** Milliseconds between two tries. */
const RETRY = { first: 1000, last: 60_000 };
/** A stream that says nothing for so long has been cut without a word, as by a sleep. */
const SILENCE = LIVE_HEARTBEAT * 2.5;
/** More at once are one message. */
const SINGLE_MESSAGES = 3;
const KEPT_IDS = 200;
const HISTORY = '/activities/runhistory/';
/** Categories from here on are errors (shared/contract/notifications.ts). */
const FAILED = 3;

const Told = Type.Object({
  ids: Type.Array(Type.String()),
  /** The newest time among them, in milliseconds since 1970. */
  until: Type.Number(),
});
type Told = Static<typeof Told>;

export function watchRunNews(deps: RunNewsDeps): RunNews {
  const stopper = new AbortController();
  const memory: Memory = { told: null };
  let wake = (): void => undefined;
  const pause = (milliseconds: number): Promise<void> =>
    new Promise((resolve) => {
      const cancel = deps.clock.after(milliseconds, resolve);
      wake = () => {
        cancel();
        resolve();
      };
    });
  const run = async (): Promise<void> => {
    let wait = RETRY.first;
    let refused: string | null = null;
    let accepted: string | null = null;
    while (!stopper.signal.aborted) {
      const token = deps.token();
      if (token !== null && token !== refused) {
        const outcome = await follow(deps, memory, token, stopper.signal);
        wait = outcome === 'told' ? RETRY.first : Math.min(wait * 2, RETRY.last);
        if (outcome === 'told') accepted = token;
        if (outcome === 'refused') {
          refused = token;
          // One that was renewed or given up meanwhile has not ended by itself; of one that had ended before the start the page tells.
          if (accepted === token && deps.token() === token) tellSignedOut(deps);
        }
      } else wait = RETRY.last;
      if (!stopper.signal.aborted) await pause(wait);
    }
  };
  void run();
  return {
    wake: () => wake(),
    stop: () => {
      stopper.abort();
      wake();
    },
  };
}

function tellSignedOut({ notifier, open }: RunNewsDeps): void {
  const body = say('You will be told of your runs once you have signed in again.');
  notifier.show({ title: say('Signed out'), body, onClick: () => open('/') });
}

/** Until the stream ends. 'told' where it had begun, 'refused' where the session has ended. */
async function follow(
  deps: RunNewsDeps,
  memory: Memory,
  token: string,
  stop: AbortSignal,
): Promise<'told' | 'refused' | 'failed'> {
  const call = new AbortController();
  const onStop = (): void => call.abort();
  stop.addEventListener('abort', onStop);
  let cancelSilence = (): void => undefined;
  const alive = (): void => {
    cancelSilence();
    cancelSilence = deps.clock.after(SILENCE, () => call.abort());
  };
  let hasTold = false;
  try {
    alive();
    const response = await get(deps, liveEvents.path, token, call.signal);
    if (response.status === 401) {
      const serverNow = Date.parse(response.headers.get(SERVER_TIME_HEADER) ?? '');
      if (!Number.isNaN(serverNow)) deps.onRefused?.(token, serverNow);
      return 'refused';
    }
    if (!response.ok || !response.body) return 'failed';
    // Of a proxy that answers in its place the server has no part.
    const isServer = response.headers.has(SERVER_TIME_HEADER);
    const onSign = (): void => {
      alive();
      if (isServer) deps.onContact?.(token);
    };
    for await (const event of eventsOf(response.body, onSign)) {
      if (!/^event: ?notifications$/m.test(event)) continue;
      await tellNews(deps, memory, token, call.signal);
      hasTold = true;
    }
  } catch {
    // The network, a sleep or a server that stopped: tried again.
  } finally {
    cancelSilence();
    stop.removeEventListener('abort', onStop);
    call.abort();
  }
  return hasTold ? 'told' : 'failed';
}

const get = ({ net, address }: RunNewsDeps, path: string, token: string, signal: AbortSignal): Promise<Response> =>
  net.fetch(address + path.slice(1), {
    method: 'GET',
    // Nobody is at work because of it: the session ends by inactivity as it would without.
    headers: { authorization: `Bearer ${token}`, [UNATTENDED_HEADER]: '1' },
    signal,
  });

/** The events of a stream as text, however it is cut. */
async function* eventsOf(body: ReadableStream<Uint8Array>, onSign: () => void): AsyncGenerator<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    onSign();
    const pieces = (rest + decoder.decode(value, { stream: true })).replace(/\r\n/g, '\n').split('\n\n');
    rest = pieces.pop() ?? '';
    yield* pieces;
  }
}

async function tellNews(deps: RunNewsDeps, memory: Memory, token: string, signal: AbortSignal): Promise<void> {
  const response = await get(deps, notifications.path, token, signal);
  const answer = response.ok ? ((await response.json()) as { result?: unknown }) : null;
  if (!answer || !Value.Check(NotificationList, answer.result)) return;
  const { Items } = answer.result;
  const told = memory.told ?? parseTold(await deps.files.read(deps.file).catch(() => null));
  const isNew = (item: Notification): boolean =>
    told !== null && !told.ids.includes(idOf(item)) && Date.parse(item.Time) >= told.until;
  const isWanted = ({ ActivityRunId, Category }: Notification): boolean =>
    !deps.isInView(ActivityRunId) && (Category >= FAILED || !deps.failedOnly?.());
  const fresh = Items.filter(isNew).filter(isWanted);
  // Before they are shown: told twice after a crash would be worse than not told by the system, as the bell has them.
  memory.told = await keepTold(deps, Items, told);
  show(deps, fresh);
}

/** By its log entry too: a run of which something else is told is news. */
const idOf = ({ ActivityRunId, LogEntryId }: Notification): string => `${ActivityRunId}/${LogEntryId}`;

async function keepTold(
  { files, file, log }: RunNewsDeps,
  items: readonly Notification[],
  told: Told | null,
): Promise<Told> {
  const ids = [...new Set([...items.map(idOf), ...(told?.ids ?? [])])].slice(0, KEPT_IDS);
  const next = { ids, until: Math.max(told?.until ?? 0, ...items.map(({ Time }) => Date.parse(Time))) };
  try {
    await files.write(file, JSON.stringify(next));
  } catch (error) {
    log('what was told of runs could not be kept', error);
  }
  return next;
}

function parseTold(text: string | null): Told | null {
  try {
    const content: unknown = JSON.parse(text ?? 'null');
    return Value.Check(Told, content) ? content : null;
  } catch {
    return null;
  }
}

function show({ notifier, open }: RunNewsDeps, fresh: readonly Notification[]): void {
  if (fresh.length > SINGLE_MESSAGES) {
    const names = [...new Set(fresh.map(({ ActivityName }) => ActivityName))].slice(0, SINGLE_MESSAGES).join(', ');
    const onClick = (): void => open(HISTORY);
    const title = say('News of {count} runs', { count: String(fresh.length) });
    notifier.show({ title, body: names, onClick, path: HISTORY });
    return;
  }
  // The oldest first, so that the newest lies on top.
  for (const { ActivityRunId, ActivityName, Message } of [...fresh].reverse()) {
    const path = `/activities/runstatus/${ActivityRunId}/`;
    notifier.show({ title: ActivityName, body: Message, onClick: () => open(path), path });
  }
}
