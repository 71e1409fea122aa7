/**
 * Sends deliveries. A server leases a delivery and ends it only when it has arrived, so another server sends it again
 * if the first one dies: at least once, always with the same key. Any number of servers may send at the same time.
 */
import { createPoller, type Poller } from '#server/background/poller.ts';
import type { Log } from '#server/base/log.ts';
import type { Database } from '#server/db/database.ts';
import { ALWAYS, type WorkProbe } from '#server/db/work-probes.ts';
import { waitAfter } from './backoff.ts';
import {
  deleteOldDeliveries,
  recordAttempt,
  recordOutcome,
  takeDeliveries,
  type Attempt,
  type DeliveryChannel,
  type TakenDelivery,
} from './delivery-rows.ts';

/** Makes one attempt. If it throws, the attempt has failed. */
export type SendDelivery = (delivery: TakenDelivery, signal: AbortSignal) => Promise<Omit<Attempt, 'Milliseconds'>>;

export interface DeliveryEngineDeps {
  database: Database;
  log: Log;
  channels: Readonly<Record<DeliveryChannel, SendDelivery>>;
  /** Returns the seconds until the next attempt. */
  wait?: (attempts: number) => number;
  leaseSeconds?: number;
}

export interface DeliveryEngine {
  /** Notifies the engine of new deliveries. */
  kick(): void;
  /** @param hasPendingWork work probe called before each poll that was not requested */
  start(hasPendingWork?: WorkProbe): () => Promise<void>;
  /** Polls once, until nothing is due. */
  sendDue(): Promise<void>;
}

const INTERVAL_MS = 2_000;
const CLEAN_MS = 3_600_000;
const MAX_CONCURRENT_DELIVERIES = 8;
/** Must be longer than any attempt may take; the longest limit is that of mails, 40 seconds. */
const LEASE_SECONDS = 60;

export function createDeliveryEngine(deps: DeliveryEngineDeps): DeliveryEngine {
  return new Engine(deps);
}

class Engine implements DeliveryEngine {
  readonly #deps: DeliveryEngineDeps;
  readonly #poller: Poller;
  readonly #cleaner: Poller;
  /** The attempts in progress. */
  readonly #underWay = new Set<Promise<void>>();
  #hasPendingWork = ALWAYS;

  constructor(deps: DeliveryEngineDeps) {
    const { database, log } = deps;
    this.#deps = deps;
    this.#poller = createPoller({
      poll: (signal) => this.#takeDue(signal),
      intervalMs: INTERVAL_MS,
      hasPendingWork: () => this.#hasPendingWork(),
      onError: (err) => log.warn({ err }, 'could not poll deliveries; trying again'),
    });
    this.#cleaner = createPoller({
      poll: (signal) => deleteOldDeliveries(database, signal),
      intervalMs: CLEAN_MS,
      onError: (err) => log.warn({ err }, 'could not delete old deliveries; trying again in an hour'),
    });
  }

  kick(): void {
    this.#poller.request();
  }

  async sendDue(): Promise<void> {
    for (;;) {
      this.kick();
      await this.#poller.settled();
      if (this.#underWay.size === 0) return;
      await Promise.all(this.#underWay);
    }
  }

  start(hasPendingWork: WorkProbe = ALWAYS): () => Promise<void> {
    this.#hasPendingWork = hasPendingWork;
    const pollers = [this.#poller, this.#cleaner];
    for (const poller of pollers) {
      poller.start();
      poller.request();
    }
    return async () => {
      await Promise.all(pollers.map((poller) => poller.stop()));
      await Promise.all(this.#underWay);
    };
  }

  async #takeDue(signal: AbortSignal): Promise<void> {
    const { database, leaseSeconds = LEASE_SECONDS } = this.#deps;
    const free = MAX_CONCURRENT_DELIVERIES - this.#underWay.size;
    // Without a free place, the next attempt that ends requests a poll.
    if (free <= 0 || signal.aborted) return;
    for (const delivery of await takeDeliveries(database, free, leaseSeconds)) this.#deliver(delivery, signal);
  }

  #deliver(delivery: TakenDelivery, signal: AbortSignal): void {
    const work: Promise<void> = this.#attempt(delivery, signal)
      .catch((err: unknown) =>
        this.#deps.log.warn(
          { err, delivery: delivery.Id },
          'the outcome of a delivery could not be stored; it is sent again when its lease expires',
        ),
      )
      .finally(() => {
        this.#underWay.delete(work);
        this.kick();
      });
    this.#underWay.add(work);
  }

  async #attempt(delivery: TakenDelivery, signal: AbortSignal): Promise<void> {
    const { database, log, channels, wait = waitAfter } = this.#deps;
    const start = performance.now();
    const response = await channels[delivery.Channel](delivery, signal).catch((error: unknown) => {
      if (signal.aborted) return null;
      log.warn({ err: error, delivery: delivery.Id }, 'could not attempt a delivery');
      return { StatusCode: null, Error: 'It could not be sent because of a fault of this server', Answer: '' };
    });
    if (response === null) return this.#putBack(delivery);
    const attempt = { ...response, Milliseconds: Math.round(performance.now() - start) };
    const seconds = wait(delivery.Attempts);
    const status = await recordAttempt(database, delivery, attempt, seconds).catch((err: unknown) => {
      log.warn({ err, delivery: delivery.Id }, 'could not record an attempt of a delivery');
      // Without its outcome, the delivery would be sent again without a wait, and never be given up.
      return recordOutcome(database, delivery, attempt, seconds);
    });
    if (status === 'GivenUp') log.warn({ delivery: delivery.Id, error: response.Error }, 'gave up a delivery');
  }

  /** Returns a delivery whose attempt was interrupted because this server stops: the next server sends it again. */
  async #putBack({ Id, Attempts }: TakenDelivery): Promise<void> {
    const { database, log } = this.#deps;
    log.debug({ delivery: Id }, 'an attempt was interrupted');
    await database
      .knex('Deliveries')
      .where({ Id, Attempts })
      .update({ TakenUntil: null })
      // Its lease expires soon.
      .catch(() => undefined);
  }
}
