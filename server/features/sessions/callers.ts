/** Identifies who makes a call: by the token of a session or an API key, subject to the network policy. */
import type { Access } from '#shared/contract/endpoint.ts';
import { AppError } from '#server/base/app-error.ts';
import type { Person } from '#server/base/person.ts';
import { API_KEY_PREFIX, type ApiKeysService } from '#server/features/api-keys/api-keys-service.ts';
import { isCallOfKey } from '#server/access/rights/key-scope.ts';
import type { RightsService } from '#server/access/rights/rights-service.ts';
import type { NetworkPolicy } from '#server/access/sign-in/network-policy.ts';
import type { SessionsService } from './sessions-service.ts';
import { createRecentCallers } from '#server/access/sign-in/recent-callers.ts';

interface CallersDeps {
  apiKeys: ApiKeysService;
  sessions: SessionsService;
  networkPolicy: NetworkPolicy;
  rights: RightsService;
}

export interface Callers {
  /** The interface by which the HTTP layer knows people. */
  guard: {
    authenticate(token: string, request: { address: string; unattended?: boolean }): Promise<Person>;
    mayCall(person: Person, access: Access, call: string): Promise<boolean>;
  };
  /** Applies the network policy to a caller whom somebody else identified, like the guard. */
  admit: (token: string, address: string, find: () => Promise<Person>) => Promise<Person>;
  /** Like the guard, but read-only: returns null for callers who may not or no longer come in. */
  recheck: (caller: { token: string; address: string }) => Promise<Person | null>;
}

export function createCallers({ apiKeys, sessions, networkPolicy, rights }: CallersDeps): Callers {
  const isKey = (token: string): boolean => token.startsWith(API_KEY_PREFIX);
  const recent = createRecentCallers();

  /** For a recent caller, grants are read in parallel to the session instead of after it. */
  async function admit<P extends Person | null>(token: string, address: string, find: () => Promise<P>) {
    const userId = recent.userOf(token);
    const give = userId === undefined ? undefined : rights.readAhead(userId);
    const found = await find();
    if (!found) return null;
    recent.remember(token, found);
    give?.(found);
    const person = await networkPolicy.admit(found, address);
    give?.(person);
    return person;
  }

  return {
    /** The interface by which the HTTP layer knows people. */
    guard: {
      authenticate: async (token, request) =>
        (await admit(token, request.address, () =>
          isKey(token) ? apiKeys.authenticate(token) : sessions.authenticate(token, request),
        ))!,
      mayCall: async (person, access, call) => isCallOfKey(person, call) && rights.mayCall(person, access),
    },
    admit: async (token, address, find) => (await admit(token, address, find))!,
    recheck: async ({ token, address }) => {
      try {
        return await admit(token, address, () =>
          isKey(token) ? apiKeys.authenticate(token) : sessions.recheck(token),
        );
      } catch (error) {
        if (error instanceof AppError && error.status === 401) return null;
        throw error;
      }
    },
  };
}
