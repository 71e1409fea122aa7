/** Lets people see and end their own sessions. */
import { createHash } from 'node:crypto';
import type { OwnSession } from '#shared/contract/own-sessions.ts';
import type { SecurityActionType } from '#shared/contract/security.ts';
import { AppError } from '#server/base/app-error.ts';
import type { Database } from '#server/db/database.ts';
import type { Db } from '#server/db/dialect/types.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { actorOf } from '#server/access/actor.ts';
import { recordActions } from '#server/access/audit/record-actions.ts';
import type { Person } from '#server/base/person.ts';
import { endSession, endSessionsOf, listOpenSessions, type OpenSessionRow } from './sessions-repository.ts';
import { isOver, type SessionLimits } from './session-limits.ts';

export interface OwnSessionsService {
  /** Returns the active sessions, last used first. */
  list(person: Person): Promise<OwnSession[]>;
  /** Throws an AppError 404 if the person has no such session. */
  end(person: Person, id: string, address: string): Promise<void>;
  /** Ends all sessions except the caller's. */
  endOthers(person: Person, address: string): Promise<void>;
}

export function createOwnSessionsService({ knex }: Pick<Database, 'knex'>, limits: SessionLimits): OwnSessionsService {
  async function openSessions(db: Db, person: Person): Promise<OpenSessionRow[]> {
    const rows = await listOpenSessions(db, person.UserId);
    // A grant to an assistant ends with its tokens, not by inactivity of the person.
    return rows.filter((row) => row.AssistantName !== null || !isOver(row, limits));
  }

  async function inLog(person: Person, address: string, Action: SecurityActionType, work: (db: Db) => Promise<void>) {
    // A leaked API key must not be able to sign its owner out.
    if (person.SessionId === '') throw new AppError('forbidden', 403, 'You do not have permissions for this operation');
    await inTransaction(knex, async (trx) => {
      await work(trx);
      await recordActions(trx, actorOf(person, address), [{ Action, TargetUserName: person.UserName }]);
    });
  }

  return {
    list: async (person) =>
      (await openSessions(knex, person)).map((row) => ({
        Id: keyOf(row.SessionId),
        IsCurrent: row.SessionId === person.SessionId,
        CreatedTime: row.CreatedTime.toISOString(),
        LastUsedTime: row.LastUsedTime.toISOString(),
        Address: row.Address,
        Client: row.Client,
        IsAssistant: row.AssistantName !== null,
      })),
    end: (person, id, address) =>
      inLog(person, address, 'EndSession', async (trx) => {
        const found = (await openSessions(trx, person)).find(({ SessionId }) => keyOf(SessionId) === id);
        if (!found) throw new AppError('sessionNotFound', 404, 'There is no such session');
        await endSession(trx, found.SessionId);
      }),
    endOthers: (person, address) =>
      inLog(person, address, 'EndOtherSessions', (trx) => endSessionsOf(trx, person.UserId, person.SessionId)),
  };
}

/** Hides the session's own id, which other tables refer to. */
function keyOf(sessionId: string): string {
  return createHash('sha256').update(`session ${sessionId}`).digest('base64url');
}
