/** Which of those whom a provider vouches for may come in. */
import type { Entrance } from '#server/features/sessions/entrance.ts';
import type { ExternalUsersService } from '#server/features/users/external-users-service.ts';
import type { UserRow } from '#server/features/users/users-service.ts';
import { ssoRefusal } from './sso-failures.ts';
import type { SsoIdentity, SsoProvider } from './sso-provider.ts';

export interface SsoAdmissionDeps {
  externalUsers: ExternalUsersService;
  entrance: Pick<Entrance, 'mayEnter'>;
}

export function createSsoAdmission({ externalUsers, entrance }: SsoAdmissionDeps) {
  /** The person, if they may come in now. Throws an AppError 403 that is the same for those who are unknown and those who are disabled. */
  async function requireEntry(user: UserRow | undefined, address: string): Promise<UserRow> {
    if (!user?.Enabled) throw ssoRefusal('unknown');
    if (!(await entrance.mayEnter(user, address))) throw ssoRefusal('outside');
    return user;
  }

  async function admit(provider: SsoProvider, identity: SsoIdentity, address: string): Promise<UserRow> {
    const { subject, ...profile } = identity;
    const source = { Source: 'SSO' as const, SourceName: provider.name, SourceUserName: subject, SourceInfo: '' };
    const options = { create: provider.createUsers, address };
    return requireEntry(await externalUsers.admit({ ...source, ...profile }, options), address);
  }

  return { requireEntry, admit };
}
