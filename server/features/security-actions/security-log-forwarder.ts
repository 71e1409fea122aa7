/**
 * Forwards the log of security actions, in order and from its beginning. The progress is stored after the target has
 * accepted a batch. After an interruption, some actions are therefore sent twice, but none is lost. Receivers recognize
 * duplicates by their Id.
 */
import { hostname } from 'node:os';
import type { Database } from '#server/db/database.ts';
import { createPoller } from '#server/background/poller.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Log } from '#server/base/log.ts';
import { findLastAction } from '#server/access/audit/action-rows.ts';
import { listActionsAfter } from './security-actions-repository.ts';
import { findLastSent, storeLastSent } from './security-log-targets-repository.ts';
import { syslogMessage } from './syslog-message.ts';
import type { SyslogSender } from './syslog-sender.ts';

export interface SecurityLogForwarder {
  start(): void;
  /** Waits for the current batch. */
  stop(): Promise<void>;
  /** Sends all new actions and returns their number. Rejects if the target is not reachable. */
  sendNew(): Promise<number>;
}

export interface ForwarderDeps {
  database: Pick<Database, 'knex' | 'dialect'>;
  log: Log;
  /** The value of the setting; identifies the target in the database. */
  target: string;
  send: SyslogSender;
}

const LOCK = 'runsheet.security-log-forwarding';
const BATCH = 500;
const POLL_INTERVAL_MS = 2_000;
const MAX_PAUSE_MS = 60_000;

export function createSecurityLogForwarder({ database, log, target, send }: ForwarderDeps): SecurityLogForwarder {
  const { knex, dialect } = database;
  const source = { hostName: hostname(), processId: process.pid };
  let failures = 0;

  /**
   * The server that holds the lock sends. The batch size is limited, and so is the duration of the transaction. If the
   * database requires a retry of the transaction, the batch is sent twice.
   */
  const sendBatch = (): Promise<number> =>
    inTransaction(knex, async (trx) => {
      if (!(await dialect.tryLock(trx, LOCK))) return 0;
      const rows = await listActionsAfter(trx, await findLastSent(trx, target), BATCH);
      const last = rows.at(-1);
      if (!last) return 0;
      await send(rows.map((row) => syslogMessage(row, source)));
      await storeLastSent(trx, target, last.Id);
      return rows.length;
    });

  async function sendNew(signal?: AbortSignal): Promise<number> {
    let sent = 0;
    // Most polls find nothing and take no lock.
    while (((await findLastAction(knex))?.Id ?? 0) > (await findLastSent(knex, target))) {
      if (signal?.aborted) break;
      const count = await sendBatch();
      if (count === 0) break;
      sent += count;
    }
    return sent;
  }

  const poller = createPoller({
    poll: async (signal) => {
      await sendNew(signal);
      if (failures > 0) log.info({ target }, 'forwarding the log of security actions again');
      failures = 0;
    },
    intervalMs: POLL_INTERVAL_MS,
    onError: (err) => {
      failures += 1;
      if (failures === 1) log.error({ err, target }, 'could not forward the log of security actions; trying again');
      return { waitMs: Math.min(MAX_PAUSE_MS, POLL_INTERVAL_MS * 2 ** Math.min(failures, 5)) };
    },
  });

  return {
    sendNew: () => sendNew(),
    start: () => {
      poller.start();
      poller.request();
    },
    stop: () => poller.stop(),
  };
}
