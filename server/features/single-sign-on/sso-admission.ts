/** Decides which of the people that a provider vouches for may sign in. */
import type { NetworkPolicy } from '#server/access/sign-in/network-policy.ts';
import type { ExternalUsersService } from '#server/features/users/external-users-service.ts';
import type { UserRow } from '#server/features/users/users-service.ts';
import { ssoRefusal } from './sso-failures.ts';
import type { SsoIdentity, SsoProvider } from './sso-provider.ts';

export interface SsoAdmissionDeps {
  externalUsers: ExternalUsersService;
  networkPolicy: Pick<NetworkPolicy, 'mayEnter'>;
}

export function createSsoAdmission({ externalUsers, networkPolicy }: SsoAdmissionDeps) {
  /** Returns the user if they may sign in now. Throws the same AppError 403 for unknown and disabled users. */
  async function requireEntry(user: UserRow | undefined, address: string): Promise<UserRow> {
    if (!user?.Enabled) throw ssoRefusal('unknown');
    if (!(await networkPolicy.mayEnter(user, address))) throw ssoRefusal('outside');
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
