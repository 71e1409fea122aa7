/** The second factor of users whose passwords are stored by the portal. */
import type { SecondFactorKey } from '#shared/contract/auth.ts';
import type { SecondFactorState } from '#shared/contract/second-factor.ts';
import { AppError } from '#server/base/app-error.ts';
import type { Config } from '#server/config/config-schema.ts';
import type { Person } from '#server/base/person.ts';
import type { UserRow, UsersService } from '#server/features/users/users-service.ts';
import { createFactorChanges, forbidden, type FactorChanges, type FactorChangesDeps } from './factor-changes.ts';
import { createFactorCheck, type FactorCheckDeps } from './factor-check-service.ts';
import { alreadyOn } from './factor-keys.ts';
import { countRecoveryCodes } from './second-factor-repository.ts';

export interface SecondFactorService extends Pick<FactorChanges, 'renewCodes' | 'turnOff' | 'remove'> {
  state(person: Person): Promise<SecondFactorState>;
  isRequiredOf(user: UserRow): boolean;
  /** Returns the key for the app. Throws an AppError 400 if a factor is already turned on. */
  begin(user: UserRow): Promise<SecondFactorKey>;
  /**
   * Turns the factor on with a first code. Returns recovery codes, which cannot be read again later; null if the code
   * is wrong.
   */
  confirm(user: UserRow, code: string, address: string): Promise<string[] | null>;
  /** Returns whether a code of the app or a recovery code is correct, and uses it up. */
  accepts(user: UserRow, code: string, address: string): Promise<boolean>;
  /**
   * Returns the person's user row. Throws an AppError 400 for users of directories and providers, 403 for calls of
   * programs.
   */
  ownerOf(person: Person): Promise<UserRow>;
}

export interface SecondFactorDeps extends FactorCheckDeps, FactorChangesDeps {
  users: UsersService;
  required: Config['requireSecondFactor'];
}

export function createSecondFactorService(deps: SecondFactorDeps): SecondFactorService {
  const {
    database: { knex },
    users,
    keys,
    required,
  } = deps;
  const check = createFactorCheck(deps);
  const changes = createFactorChanges(deps);

  function isRequiredOf({ Source, IsUserAdmin, SecondFactorRequired }: UserRow): boolean {
    if (Source !== 'Local') return false;
    return SecondFactorRequired || required === 'everyone' || (required === 'administrators' && IsUserAdmin);
  }

  return {
    ...changes,
    isRequiredOf,
    state: async (person) => {
      const user = await users.findById(person.UserId);
      if (user?.Source !== 'Local') return { IsOffered: false, IsOn: false, IsRequired: false, RecoveryCodes: 0 };
      const RecoveryCodes = await countRecoveryCodes(knex, user.UserId);
      return { IsOffered: true, IsOn: user.SecondFactorOn, IsRequired: isRequiredOf(user), RecoveryCodes };
    },
    begin: async (user) => {
      if (user.SecondFactorOn) throw alreadyOn();
      return keys.pending(user);
    },
    confirm: async (user, code, address) => {
      if (user.SecondFactorOn) throw alreadyOn();
      if (user.SecondFactorKey === null) throw new AppError('second_factor_begin', 400, 'Please start the setup again');
      return (await check(user, code, { address, takes: 'app' })) ? changes.turnOn(user, address) : null;
    },
    accepts: (user, code, address) => check(user, code, { address, takes: 'both' }),
    ownerOf: async ({ UserId, SessionId }) => {
      const user = await users.findById(UserId);
      if (!user || SessionId === '') throw forbidden();
      if (user.Source !== 'Local') throw new AppError('notLocal', 400, 'Your password is not stored in this portal');
      return user;
    },
  };
}
