import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { createThrottle } from '#server/background/throttle.ts';
import { outsideSpans } from '#server/base/tracing.ts';
import type { Database } from '#server/db/database.ts';
import type { Listening } from '#server/db/dialect/types.ts';
import type { Log } from '#server/base/log.ts';
import type { SlotReservation, ReserveSlot, SlotRequest } from './slot-reservation.ts';
import { createLocalRunEvents, type LocalRunEvents } from './local-run-events.ts';

const CHANNEL = 'runsheet_runs';
const QUEUED = 'queued';
const CHANGED = 'changed';
/**
 * Minimum interval between notifications of changes to other processes: a busy worker changes hundreds of runs per
 * second.
 */
const CHANGES_MS = 200;
/**
 * Minimum interval between notifications of new runs to other processes. The first one is sent immediately; busy
 * servers poll anyway.
 */
const QUEUED_MS = 20;
/** Maximum number of run ids in one notification: PostgreSQL payloads must be shorter than 8,000 bytes. */
const CHANGES_MAX = 400;

/**
 * Notifies workers: those of this process directly, those of other processes through the database. Nothing depends on
 * delivery: a lost signal only delays work until the next poll.
 */
export interface RunSignals extends LocalRunEvents {
  queued(): void;
  cancelled(runId: number): void;
  /** Something changed that watchers of the run are notified of. */
  changed(runId: number): void;
  /** A run that a worker of this process executed has ended. */
  onEnded(listener: (runId: number) => void): () => void;
  /** A step of a checklist or workflow has ended, so the next one may begin. Published only in this process. */
  stepEnded(checklistRunId: number): void;
  onStepEnded(listener: (checklistRunId: number) => void): () => void;
  /**
   * A run that another run started, or a run that started others, has ended, so the next child run may begin. Published
   * only in this process.
   */
  childEnded(parentRunId: number): void;
  onChildEnded(listener: (parentRunId: number) => void): () => void;
  onChanged(listener: (runIds: readonly number[]) => void): () => void;
  onQueued(listener: () => void): () => void;
  onCancelled(listener: (runId: number) => void): () => void;
  /** Reserves a slot of a worker of this process for a new run; undefined if the run must go through the queue. */
  reserve(wanted: SlotRequest): SlotReservation | undefined;
  onReserve(desk: ReserveSlot): () => void;
  /**
   * Subscribes to notifications from other processes. Returns false if the database does not support notifications, so
   * polling must suffice.
   */
  open(): Promise<boolean>;
  close(): Promise<void>;
}

export function createRunSignals(database: Database, log: Log): RunSignals {
  const events = new EventEmitter();
  const self = randomUUID();
  const publisher = createPublisher(database, self, log);
  let listening: Listening | undefined;
  let desk: ReserveSlot | undefined;

  const changes = createChanges((message) => publisher.publish(message));

  function receive(payload: string): void {
    const [from, message = ''] = payload.split(' ');
    if (from === self) return;
    if (message === QUEUED) events.emit('queued');
    else if (message.startsWith(CHANGED))
      events.emit(
        'changed',
        message
          .slice(CHANGED.length + 1)
          .split(',')
          .map(Number),
      );
    else events.emit('cancelled', Number(message));
  }

  return {
    queued: () => {
      events.emit('queued');
      publisher.queued();
    },
    cancelled: (runId) => {
      events.emit('cancelled', runId);
      publisher.publish(String(runId));
    },
    changed: (runId) => {
      events.emit('changed', [runId]);
      changes.add(runId);
    },
    ...createLocalRunEvents((runId) => void events.emit('ended', runId)),
    stepEnded: (checklistRunId) => void events.emit('stepEnded', checklistRunId),
    childEnded: (parentRunId) => {
      events.emit('childEnded', parentRunId);
      events.emit('changed', [parentRunId]);
      changes.add(parentRunId);
    },
    ...subscriptions(events),
    reserve: (wanted) => desk?.(wanted),
    onReserve: (own) => {
      desk = own;
      return () => {
        if (desk === own) desk = undefined;
      };
    },
    open: async () => {
      listening = await database.listen(CHANNEL, receive, () => events.emit('queued'));
      return listening !== undefined;
    },
    close: async () => {
      changes.stop();
      await publisher.settled();
      await listening?.close();
    },
  };
}

function subscriptions(
  events: EventEmitter,
): Pick<RunSignals, 'onStepEnded' | 'onChildEnded' | 'onChanged' | 'onEnded' | 'onQueued' | 'onCancelled'> {
  return {
    onStepEnded: (listener) => subscribe(events, 'stepEnded', listener),
    onChildEnded: (listener) => subscribe(events, 'childEnded', listener),
    onChanged: (listener) => {
      events.on('changed', listener);
      return () => events.off('changed', listener);
    },
    onEnded: (listener) => subscribe(events, 'ended', listener),
    onQueued: (listener) => subscribe(events, 'queued', listener),
    onCancelled: (listener) => subscribe(events, 'cancelled', listener),
  };
}

function subscribe(events: EventEmitter, name: string, listener: (id: number) => void): () => void {
  events.on(name, listener);
  return () => events.off(name, listener);
}

/** Batches changes of runs for a short time. */
function createChanges(publish: (message: string) => void) {
  const changed = new Set<number>();
  let timer: NodeJS.Timeout | undefined;

  function publishAll(): void {
    timer = undefined;
    const ids = [...changed];
    changed.clear();
    for (let from = 0; from < ids.length; from += CHANGES_MAX) {
      publish(`${CHANGED}:${ids.slice(from, from + CHANGES_MAX).join(',')}`);
    }
  }

  return {
    add: (runId: number) => {
      changed.add(runId);
      timer ??= setTimeout(publishAll, CHANGES_MS).unref();
    },
    stop: () => clearTimeout(timer),
  };
}

/** Sends at most one statement at a time, so a burst of starts becomes a few notifications. */
function createPublisher({ knex, dialect }: Database, self: string, log: Log) {
  const waiting = new Set<string>();
  let publishing: Promise<void> | undefined;

  async function publishAll(): Promise<void> {
    while (waiting.size > 0) {
      const messages = [...waiting];
      waiting.clear();
      for (const message of messages) {
        await dialect
          .notify(knex, CHANNEL, `${self} ${message}`)
          .catch((err: unknown) => log.debug({ err }, 'the other processes could not be notified of a run'));
      }
    }
    publishing = undefined;
  }

  function publish(message: string): void {
    waiting.add(message);
    // The statement serves many runs, so it must not belong to the trace span of the first one.
    publishing ??= outsideSpans(publishAll);
  }

  const queued = createThrottle(QUEUED_MS, () => publish(QUEUED));
  return {
    publish,
    queued: () => queued.request(),
    settled: async () => {
      queued.stop();
      await publishing;
    },
  };
}
