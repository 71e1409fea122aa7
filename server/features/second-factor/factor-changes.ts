/** Changes to second factors. Each is logged as a security action. */
import { AppError } from '#server/base/app-error.ts';
import type { Database } from '#server/db/database.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { EscalationGuard } from '#server/access/rights/privilege-escalation.ts';
import { actorOf, type Actor } from '#server/access/actor.ts';
import { recordActions, type NewAction } from '#server/access/audit/record-actions.ts';
import type { SessionsService } from '#server/features/sessions/sessions-service.ts';
import type { UserRow, UsersService } from '#server/features/users/users-service.ts';
import { alreadyOn } from './factor-keys.ts';
import { hashRecoveryCode, makeRecoveryCodes } from './recovery-codes.ts';
import { replaceRecoveryCodes, turnOn } from './second-factor-repository.ts';

export interface FactorChanges {
  /**
   * Returns recovery codes, which cannot be read again later. Throws an AppError 400 if a factor is already turned on.
   */
  turnOn(user: UserRow, address: string): Promise<string[]>;
  /** Replaces the recovery codes and returns the new ones. */
  renewCodes(user: UserRow, address: string): Promise<string[]>;
  turnOff(user: UserRow, address: string): Promise<void>;
  /** Removes another user's factor, which they may have lost, and ends their sessions. */
  remove(actor: Actor, userId: number): Promise<void>;
}

export interface FactorChangesDeps {
  database: Pick<Database, 'knex'>;
  users: Pick<UsersService, 'findById' | 'clearSecondFactor'>;
  sessions: Pick<SessionsService, 'endAllOf'>;
  escalationGuard: Pick<EscalationGuard, 'requireOverUser'>;
}

type Transaction = Parameters<Parameters<typeof inTransaction>[1]>[0];

export function createFactorChanges({
  database: { knex },
  users,
  sessions,
  escalationGuard,
}: FactorChangesDeps): FactorChanges {
  function record<T>(
    actor: Actor,
    user: UserRow,
    Action: NewAction['Action'],
    change: (trx: Transaction) => Promise<T>,
  ) {
    return inTransaction(knex, async (trx) => {
      const answer = await change(trx);
      await recordActions(trx, actor, [{ Action, TargetUserName: user.UserName }]);
      return answer;
    });
  }

  const owner = (user: UserRow, address: string): Actor => actorOf({ ...user, SessionId: '' }, address);

  return {
    turnOn: (user, address) =>
      record(owner(user, address), user, 'TurnOnSecondFactor', async (trx) => {
        if (!(await turnOn(trx, user.UserId))) throw alreadyOn();
        return newCodes(trx, user);
      }),
    renewCodes: (user, address) =>
      record(owner(user, address), user, 'MakeRecoveryCodes', (trx) => newCodes(trx, user)),
    turnOff: (user, address) =>
      record(owner(user, address), user, 'TurnOffSecondFactor', (trx) => users.clearSecondFactor(trx, user.UserId)),
    remove: async (actor, userId) => {
      const user = await users.findById(userId);
      if (!user) throw new AppError('userNotFound', 404, 'There is no such user');
      if (!actor.hasSession || (user.IsUserAdmin && !actor.IsUserAdmin)) throw forbidden();
      await escalationGuard.requireOverUser(actor, user);
      if (user.UserId === actor.UserId)
        throw new AppError('oneself', 400, 'Use Two-step sign-in for your own second factor');
      if (!user.SecondFactorOn) throw new AppError('second_factor_off', 400, 'The user has no second factor');
      await record(actor, user, 'RemoveSecondFactor', async (trx) => {
        await users.clearSecondFactor(trx, userId);
        await sessions.endAllOf(userId, { db: trx });
      });
    },
  };
}

async function newCodes(trx: Transaction, { UserId }: UserRow): Promise<string[]> {
  const codes = makeRecoveryCodes();
  const hashes = codes.map((code) => hashRecoveryCode(UserId, code));
  await replaceRecoveryCodes(trx, UserId, hashes);
  return codes;
}

export const forbidden = (): AppError =>
  new AppError('forbidden', 403, 'You do not have permissions for this operation');

export const notOn = (): AppError => new AppError('second_factor_off', 400, 'Your second factor is off');
