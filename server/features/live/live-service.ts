/**
 * Publishes changes to clients that watch runs and activities. Each process polls what its own streams watch, once a
 * second and on every signal; a lost signal costs at most a second. Before sending anything, it checks the person's
 * token and rights again. Clients that may not (or may no longer) see a run or activity get no events for it. A stream
 * does not extend the session.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '#server/base/app-error.ts';
import { createPoller, type Poller } from '#server/background/poller.ts';
import type { Database } from '#server/db/database.ts';
import type { Db } from '#server/db/dialect/types.ts';
import type { ActivityAccess } from '#server/access/activity-access.ts';
import type { ChecklistRunAccess } from '#server/access/checklist-run-access.ts';
import type { NotificationsService } from '#server/features/notifications/notifications-service.ts';
import type { RunsService } from '#server/features/runs/runs-service.ts';
import type { RunSignals } from '#server/queue/run-signals.ts';
import type { Log } from '#server/base/log.ts';
import type { Person } from '#server/base/person.ts';
import { LIVE_HEARTBEAT } from '#shared/contract/live.ts';
import { isPending } from '#shared/contract/run-status.ts';
import {
  isAnyVisible,
  listWorkflowRunMarks,
  listOwnersOfEnded,
  listRunMarks,
  listVersionMarks,
  type Mark,
  type RunMark,
  type VersionMark,
} from './live-repository.ts';
import { LiveStream, type LiveCaller, type Watched } from './live-stream.ts';

export interface LiveService {
  /** Throws an AppError: 429 if the person has too many open streams, 503 if the server is about to stop. */
  open(caller: LiveCaller, watched: Watched): LiveStream;
  /** Ends all streams. Nothing is sent afterwards. */
  close(): Promise<void>;
}

export interface LiveDeps {
  database: Database;
  runs: Pick<RunsService, 'state'>;
  workflowRunAccess: ChecklistRunAccess;
  activityAccess: Pick<ActivityAccess, 'require' | 'scopes'>;
  notifications: Pick<NotificationsService, 'list'>;
  signals: Pick<RunSignals, 'onChanged'>;
  log: Log;
  /** Returns the person's current state; null if the token is no longer valid. Does not extend the session. */
  recheck: (caller: LiveCaller) => Promise<Person | null>;
}

const POLL_INTERVAL_MS = 1000;
const STREAMS_PER_USER = 10;
/** Maximum number of runs per query, and of streams served concurrently. */
const RUNS_PER_QUERY = 1000;
const STREAM_CONCURRENCY = 8;
/** How long a stop waits for a database that does not respond. */
const STOP_TIMEOUT_MS = 1000;

export function createLiveService(deps: LiveDeps): LiveService {
  return new Live(deps);
}

class Live implements LiveService {
  readonly #deps: LiveDeps;
  readonly #streams = new Set<LiveStream>();
  readonly #changed = new Set<number>();
  readonly #unsubscribe: () => void;
  readonly #poller: Poller;
  #beatAt = 0;
  #closed = false;

  constructor(deps: LiveDeps) {
    this.#deps = deps;
    this.#poller = createPoller({
      poll: (signal) => this.#serveAll(signal),
      intervalMs: POLL_INTERVAL_MS,
      onError: (err) => deps.log.debug({ err }, 'what changed could not be read; it is tried again'),
    });
    this.#unsubscribe = deps.signals.onChanged((runIds) => {
      if (this.#streams.size === 0) return;
      for (const id of runIds) this.#changed.add(id);
      for (const stream of this.#streams) if (stream.watchesAll) noteChanges(stream, runIds);
      this.#poller.request();
    });
  }

  open(caller: LiveCaller, watched: Watched): LiveStream {
    if (this.#closed) throw new AppError('stopping', 503, 'The server is stopping');
    const own = [...this.#streams].filter((stream) => stream.caller.UserId === caller.UserId);
    if (own.length >= STREAMS_PER_USER)
      throw new AppError('tooManyStreams', 429, 'Too many pages are open. Close some of them');
    const stream = new LiveStream(caller, watched, () => this.#remove(stream));
    this.#streams.add(stream);
    this.#poller.start();
    this.#poller.request();
    return stream;
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#unsubscribe();
    const stopped = this.#poller.stop();
    for (const stream of this.#streams) stream.end();
    await Promise.race([stopped, pause(STOP_TIMEOUT_MS, undefined, { ref: false })]);
  }

  #remove(stream: LiveStream): void {
    this.#streams.delete(stream);
    if (this.#streams.size === 0) this.#poller.pause();
  }

  async #serveAll(signal: AbortSignal): Promise<void> {
    const isBeat = performance.now() - this.#beatAt >= LIVE_HEARTBEAT;
    if (isBeat) this.#beatAt = performance.now();
    await this.#noteEnds();
    const marks = await this.#readMarks();
    const due = [...this.#streams].filter((stream) => isBeat || isDue(stream) || hasChanged(stream, marks));
    while (due.length > 0 && !signal.aborted) {
      await Promise.all(due.splice(0, STREAM_CONCURRENCY).map((stream) => this.#serve(stream, marks, isBeat)));
    }
  }

  /** Users whose runs have ended may have new notifications. */
  async #noteEnds(): Promise<void> {
    const changed = [...this.#changed].slice(0, RUNS_PER_QUERY);
    if (changed.length === 0) return;
    const owners = new Set(await listOwnersOfEnded(this.#deps.database.knex, changed));
    for (const id of changed) this.#changed.delete(id);
    for (const stream of this.#streams) {
      if (!owners.has(stream.caller.UserId)) continue;
      stream.noticesDue = true;
      stream.endsDue = true;
    }
    if (this.#changed.size > 0) this.#poller.request();
  }

  async #readMarks(): Promise<Marks> {
    const read = async <M extends Mark>(of: keyof Marks, list: ListMarks<M>): Promise<Map<number, M>> => {
      const ids = [...new Set([...this.#streams].flatMap((stream) => [...stream[of].keys()]))];
      const marks = new Map<number, M>();
      for (let from = 0; from < ids.length; from += RUNS_PER_QUERY) {
        const part = await list(this.#deps.database.knex, ids.slice(from, from + RUNS_PER_QUERY));
        for (const [id, mark] of part) marks.set(id, mark);
      }
      return marks;
    };
    return {
      runs: await read('runs', listRunMarks),
      chains: await read('chains', listWorkflowRunMarks),
      activities: await read('activities', listVersionMarks),
    };
  }

  async #serve(stream: LiveStream, marks: Marks, isBeat: boolean): Promise<void> {
    const { log, recheck } = this.#deps;
    try {
      const person = await recheck(stream.caller);
      if (!person) return stream.end();
      if (isBeat) stream.beat();
      await this.#publishRuns(stream, person, marks.runs);
      await this.#publishWorkflowRuns(stream, person, marks.chains);
      await this.#publishVersions(stream, person, marks.activities);
      if (stream.endsDue) publishEnd(stream);
      if (stream.changedRuns.size > 0) await this.#publishChanges(stream, person);
      if (isBeat || stream.noticesDue) await this.#publishNotices(stream, person);
    } catch (err) {
      log.debug({ err }, 'a stream could not be served; it is tried again');
    }
  }

  async #publishRuns(stream: LiveStream, person: Person, marks: ReadonlyMap<number, RunMark>): Promise<void> {
    for (const [Id, published] of stream.runs) {
      const now = marks.get(Id);
      if (now?.mark === published) continue;
      const State = now && (await this.#deps.runs.state(person, Id).catch(nothingWhereHidden));
      if (!State) stream.runs.delete(Id);
      else {
        stream.send('run', { Id, State });
        if (isPending(State.Status) || State.RunningChildRuns > 0) stream.runs.set(Id, now.mark);
        else stream.runs.delete(Id);
      }
    }
  }

  /** Only publishes that something changed; clients fetch the state of the steps with a separate call. */
  async #publishWorkflowRuns(stream: LiveStream, person: Person, marks: ReadonlyMap<number, RunMark>): Promise<void> {
    for (const [Id, published] of stream.chains) {
      const now = marks.get(Id);
      if (now?.mark === published) continue;
      const found = now && (await this.#deps.workflowRunAccess.require(person, Id).catch(nothingWhereHidden));
      if (!found) stream.chains.delete(Id);
      else {
        stream.send('chain', { Id, Status: now.Status });
        if (isPending(now.Status)) stream.chains.set(Id, now.mark);
        else stream.chains.delete(Id);
      }
    }
  }

  async #publishVersions(stream: LiveStream, person: Person, marks: ReadonlyMap<number, VersionMark>): Promise<void> {
    const { database, activityAccess } = this.#deps;
    for (const [Id, published] of stream.activities) {
      const now = marks.get(Id);
      if (now?.mark === published) continue;
      const found = now && (await activityAccess.require(database.knex, person, Id).catch(nothingWhereHidden));
      if (!found) stream.activities.delete(Id);
      else {
        stream.send('version', { Id, Version: now.Version });
        stream.activities.set(Id, now.mark);
      }
    }
  }

  async #publishChanges(stream: LiveStream, person: Person): Promise<void> {
    const { database, activityAccess } = this.#deps;
    const changed = [...stream.changedRuns];
    stream.changedRuns.clear();
    const scopes = await activityAccess.scopes(person);
    if (await isAnyVisible(database.knex, changed, scopes, person.UserId)) stream.send('runs', {});
  }

  async #publishNotices(stream: LiveStream, person: Person): Promise<void> {
    stream.noticesDue = false;
    const { Items, Approvals, Checklists, Count } = await this.#deps.notifications.list(person, null);
    const notices = JSON.stringify([
      Count,
      Items.map(({ ActivityRunId, LogEntryId }) => [ActivityRunId, LogEntryId]),
      Approvals,
      Checklists,
    ]);
    if (notices === stream.notices) return;
    stream.notices = notices;
    stream.send('notifications', { Count });
  }
}

/** More changes than this are not looked at one by one: among so many, the first ones stand for all. */
const CHANGED_RUNS_MAX = 200;

function noteChanges(stream: LiveStream, runIds: readonly number[]): void {
  for (const id of runIds) {
    if (stream.changedRuns.size >= CHANGED_RUNS_MAX) return;
    stream.changedRuns.add(id);
  }
}

const isDue = ({ noticesDue, changedRuns }: LiveStream): boolean => noticesDue || changedRuns.size > 0;

function publishEnd(stream: LiveStream): void {
  stream.endsDue = false;
  stream.send('ended', {});
}

/** Marks by activity run id, checklist run id and activity id. */
interface Marks {
  runs: ReadonlyMap<number, RunMark>;
  chains: ReadonlyMap<number, RunMark>;
  activities: ReadonlyMap<number, VersionMark>;
}

type ListMarks<M extends Mark> = (db: Db, ids: readonly number[]) => Promise<Map<number, M>>;

const hasChanged = (stream: LiveStream, marks: Marks): boolean =>
  (['runs', 'chains', 'activities'] as const).some((of) =>
    [...stream[of]].some(
      ([id, published]) => marks[of].get(id)?.mark !== (published ?? undefined) || published === null,
    ),
  );

/** No event is sent for a run that does not exist or may not be seen. */
function nothingWhereHidden(error: unknown): undefined {
  if (error instanceof AppError && error.status === 404) return undefined;
  throw error;
}
