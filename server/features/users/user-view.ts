import type { User } from '#shared/contract/users.ts';
import { AppError } from '#server/base/app-error.ts';
import type { ListedUser } from './users-list-repository.ts';

export function userNotFound(): AppError {
  return new AppError('userNotFound', 404, 'There is no such user');
}

export const userForbidden = (): AppError =>
  new AppError('forbidden', 403, 'You do not have permissions for this operation');

export function userView({ LastLoginTime, ...user }: ListedUser): User {
  const { UserId, UserName, Source, FirstName, MiddleName, LastName, Email, Enabled, IsUserAdmin } = user;
  const { SecondFactorOn, SecondFactorRequired, DisableInputDownload } = user;
  const names = { UserName, FirstName, MiddleName, LastName, Email };
  const origin = {
    SourceName: user.SourceName ?? '',
    SourceUserName: user.SourceUserName ?? '',
    SourceInfo: user.SourceInfo ?? '',
  };
  return {
    UserId,
    Source,
    ...origin,
    ...names,
    Enabled,
    IsUserAdmin,
    SecondFactorOn,
    SecondFactorRequired,
    DisableInputDownload,
    LastLoginTime: LastLoginTime?.toISOString() ?? null,
  };
}
