/**
 * Polls for the events of triggers and starts their runs. Any number of servers may poll at the same time: each event
 * counts once.
 */
import { createPoller } from '#server/background/poller.ts';
import type { WorkProbe } from '#server/db/work-probes.ts';
import type { TriggerRow } from './trigger-row.ts';
import type { RunSignals } from '#server/queue/run-signals.ts';
import { dispatchWaitingEvents } from './dispatch-events.ts';
import { pollRunEnds } from './poll-run-ends.ts';
import { pollFolders, type SeenFiles } from './poll-folders.ts';
import { createQueryPoller } from './poll-queries.ts';
import type { TriggerContext } from './trigger-context.ts';

export interface TriggerEngine {
  start(): void;
  stop(): Promise<void>;
  /** Polls once for all kinds of events. */
  poll(): Promise<void>;
}

export interface TriggerEngineDeps extends TriggerContext {
  signals: RunSignals;
  /** Returns true while triggers must wait, as during maintenance. */
  isPaused?: () => boolean;
  /** Work probe: whether any trigger may exist. */
  hasPendingWork?: WorkProbe;
}

const POLL_INTERVAL_MS = 500;
/** Interval at which ended runs are polled if no notification about them arrived. */
const ENDS_MS = 2_000;
/**
 * A poll of the folders that takes longer than this delays the next one: by FOLDER_SHARE milliseconds for each further
 * millisecond. Time beyond MAX_COUNTED_FOLDERS_MS does not count.
 */
const FOLDERS_MS = 50;
const MAX_COUNTED_FOLDERS_MS = 300;
const FOLDER_SHARE = 50;
const DELETE_EVERY_MS = 3_600_000;
const EVENT_RETENTION_DAYS = 31;

export function createTriggerEngine(deps: TriggerEngineDeps): TriggerEngine {
  const { signals, log, hasPendingWork } = deps;
  const triggers = createTriggerList(deps);
  const seen: SeenFiles = new Map();
  let unsubscribe = (): void => {};
  let hasEnded = true;
  let isStopped = false;
  const next = { files: 0, ends: 0, deletion: 0 };
  const isStopping = (): boolean => isStopped;
  const queries = createQueryPoller(deps, () => void dispatchEvents(deps, isStopping).catch(warn));
  const warn = (err: unknown): void => log.warn({ err }, 'could not poll triggers; trying again');

  async function pollFileTriggers(all: readonly TriggerRow[]): Promise<void> {
    const waiting = all.filter(({ Kind }) => Kind === 'File');
    const took = await pollFolders(deps, seen, waiting, isStopping);
    next.files = performance.now() + FOLDER_SHARE * Math.max(0, Math.min(took, MAX_COUNTED_FOLDERS_MS) - FOLDERS_MS);
  }

  async function poll(isFullPoll: boolean): Promise<void> {
    if (deps.isPaused?.()) return;
    const now = performance.now();
    const all = await triggers();
    if (all.length === 0) return;
    if (isFullPoll || now >= next.files) await pollFileTriggers(all);
    if (isFullPoll || hasEnded || now >= next.ends) {
      hasEnded = false;
      next.ends = now + ENDS_MS;
      if (all.some(({ Kind }) => Kind === 'Ended')) await pollRunEnds(deps);
    }
    if (all.some(({ Kind }) => Kind === 'Query')) await queries.poll();
    if (!isStopping()) await dispatchEvents(deps, isStopping);
    if (now >= next.deletion) {
      next.deletion = now + DELETE_EVERY_MS;
      await deleteOldEvents(deps);
    }
  }

  const poller = createPoller({
    poll: () => poll(false),
    intervalMs: POLL_INTERVAL_MS,
    hasPendingWork,
    onError: warn,
  });

  return {
    poll: () => poll(true),
    start: () => {
      unsubscribe = signals.onChanged(() => (hasEnded = true));
      poller.start();
    },
    stop: async () => {
      isStopped = true;
      unsubscribe();
      await Promise.all([poller.stop(), queries.stop()]);
    },
  };
}

async function dispatchEvents(deps: TriggerEngineDeps, isStopping: () => boolean): Promise<void> {
  const { isQueued, startedRunIds } = await dispatchWaitingEvents(deps, isStopping);
  if (isQueued) deps.signals.queued();
  for (const runId of startedRunIds) deps.signals.stepEnded(runId);
}

async function deleteOldEvents({ database: { knex, dialect } }: TriggerContext): Promise<void> {
  const old = knex('TriggerEvents').where('Time', '<', dialect.nowPlus(knex, -EVENT_RETENTION_DAYS * 86_400));
  // Webhook events are retained: calls without a signed time could be replayed after years.
  const calls = knex('Triggers').where('Kind', 'Webhook').select('Id');
  await old.whereNot('Outcome', 'Waiting').whereNotIn('TriggerId', calls).delete();
}

/** Caches all triggers, and reads them again when one was created, changed or deleted. */
function createTriggerList({ database: { knex } }: TriggerContext): () => Promise<readonly TriggerRow[]> {
  let mark = '';
  let rows: TriggerRow[] = [];
  return async () => {
    const sums = await knex('Triggers').count({ Count: '*' }).sum({ Sum: 'Revision' }).max({ Last: 'Id' }).first();
    const now = JSON.stringify(sums);
    if (now !== mark) {
      rows = await knex('Triggers').orderBy('Id');
      mark = now;
    }
    return rows;
  };
}
