import type { SecurityActionType } from '#shared/contract/security.ts';
import { dialectOf } from '#server/db/dialect/dialect.ts';
import type { Db } from '#server/db/dialect/types.ts';
import { actionHash, type SecurityActionRow } from './action-hash.ts';
import type { Actor } from '#server/access/actor.ts';
import { findLastAction, insertActions, readTime } from './action-rows.ts';

/** An action; fields that do not apply are omitted. */
export interface NewAction {
  Action: SecurityActionType;
  TargetUserName?: string;
  TargetRole?: string;
  RightName?: string;
  KeyColumnName?: string;
  KeyColumnValue?: string;
}

const LOCK = 'runsheet.security-actions';

/**
 * Adds entries to the log in the transaction of the change that they record: without the log entry, there is no change.
 * Call it last in the transaction. Each row is chained to the previous one, so until the end of the transaction nobody
 * else can add entries.
 */
export async function recordActions(trx: Db, actor: Actor, actions: readonly NewAction[]): Promise<void> {
  if (actions.length === 0) return;
  if (!('isTransaction' in trx) || trx.isTransaction !== true) {
    throw new Error('security actions are recorded in the transaction of the change');
  }
  await dialectOf(trx).lock(trx as Parameters<ReturnType<typeof dialectOf>['lock']>[0], LOCK);
  const last = await findLastAction(trx);
  const Time = await readTime(trx);
  const rows: SecurityActionRow[] = [];
  let previous = { Id: last?.Id ?? 0, Hash: last?.Hash ?? '' };
  for (const action of actions) {
    const row = rowOf(actor, action, Time, previous);
    rows.push(row);
    previous = row;
  }
  await insertActions(trx, rows);
}

function rowOf(actor: Actor, action: NewAction, Time: Date, previous: { Id: number; Hash: string }): SecurityActionRow {
  const { UserId, UserName, UserFullName, Address } = actor;
  const row = {
    Id: previous.Id + 1,
    Time,
    UserId,
    UserName,
    UserFullName: UserFullName.slice(0, 160),
    TargetUserName: '',
    TargetRole: '',
    RightName: '',
    KeyColumnName: '',
    KeyColumnValue: '',
    ...action,
    Address,
    PreviousHash: previous.Hash,
  };
  return { ...row, Hash: actionHash(row) };
}
