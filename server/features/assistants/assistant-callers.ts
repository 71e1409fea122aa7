/** Identifies who makes a call of an assistant: by an API key, or by the token of a grant. */
import type { ActivityAccess } from '#server/access/activity-access.ts';
import { AppError } from '#server/base/app-error.ts';
import type { Person } from '#server/base/person.ts';
import type { Database } from '#server/db/database.ts';
import { API_KEY_PREFIX } from '#server/features/api-keys/api-keys-service.ts';
import type { Callers } from '#server/features/sessions/sessions-module.ts';
import type { Caller } from './caller.ts';
import type { GrantsService } from './oauth/grants-service.ts';
import { ACCESS_PREFIX } from './oauth/secrets.ts';
import { listOffered } from './offers-repository.ts';

export interface AssistantCallers {
  /** Throws an AppError 401 for any other token: that of a session is for the portal's own pages. */
  authenticate(token: string, address: string): Promise<Caller>;
}

export interface AssistantCallersDeps {
  database: Pick<Database, 'knex'>;
  access: Pick<ActivityAccess, 'scopes'>;
  callers: Callers;
  grants: Pick<GrantsService, 'authenticate'>;
  /** False if only API keys count. */
  hasGrants: boolean;
}

/** As many activities as a key may be limited to. Each of them is a value of every query about rights. */
const MAX_OFFERED = 100;

export function createAssistantCallers(deps: AssistantCallersDeps): AssistantCallers {
  const { callers, grants, database, access } = deps;
  const offeredTo = async (person: Person): Promise<number[]> => {
    const offers = await listOffered(database.knex, await access.scopes(toRun(person)), MAX_OFFERED);
    return offers.map(({ Id }) => Id);
  };
  return {
    authenticate: async (token, address) => {
      if (token.startsWith(API_KEY_PREFIX)) {
        const person = await callers.guard.authenticate(token, { address });
        const mayWriteUnasked = person.mayWriteUnasked === true;
        return { person: toRun(person), grantedTo: null, mayWriteUnasked, address };
      }
      if (!deps.hasGrants || !token.startsWith(ACCESS_PREFIX)) throw notSignedIn();
      const { person, clientName, scope } = await grants.authenticate(token);
      const admitted = await callers.admit(token, address, async () => person);
      const limits = scope === 'offered' ? { keyActivities: await offeredTo(admitted) } : {};
      return { person: { ...toRun(admitted), ...limits }, grantedTo: clientName, mayWriteUnasked: false, address };
    },
  };
}

/** An assistant runs activities, and neither edits nor administers, whatever its person may do. */
const toRun = (person: Person): Person => ({ ...person, keyScope: 'Run' });

const notSignedIn = (): AppError => new AppError('notSignedIn', 401, 'You do not have permissions for this operation');
