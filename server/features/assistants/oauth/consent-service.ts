/** Asks a person whether an assistant may act for them. */
import { AppError } from '#server/base/app-error.ts';
import { fullName } from '#server/base/full-name.ts';
import type { Person } from '#server/base/person.ts';
import type { ActivityAccess } from '#server/access/activity-access.ts';
import { actorOf } from '#server/access/actor.ts';
import { recordActions } from '#server/access/audit/record-actions.ts';
import type { Database } from '#server/db/database.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { AssistantScope, ConsentRequest, ConsentView } from '#shared/contract/assistants.ts';
import { countRunnable } from '../offers-repository.ts';
import type { Client, ClientsService } from './clients-service.ts';
import { isResource, type GrantsService } from './grants-service.ts';
import { isLocalUri, isRegistered } from './redirect-uris.ts';

export interface ConsentService {
  /** Throws an AppError 400 if the request is not one that a person should decide about. */
  show(person: Person, request: ConsentRequest): Promise<ConsentView>;
  /** Returns where the browser continues. A `scope` of null refuses. */
  answer(
    person: Person,
    request: ConsentRequest,
    how: { scope: AssistantScope | null; address: string },
  ): Promise<string>;
}

export interface ConsentDeps {
  database: Pick<Database, 'knex'>;
  access: ActivityAccess;
  clients: ClientsService;
  grants: GrantsService;
  resource: string | null;
  issuer: string | null;
  grantDays: number;
}

export function createConsentService(deps: ConsentDeps): ConsentService {
  const { knex } = deps.database;
  return {
    show: async (person, request) => {
      const { Name } = await clientOf(deps, request);
      const runnable = await countRunnable(knex, await deps.access.scopes(person));
      const { host, protocol } = new URL(request.redirect_uri);
      return {
        ClientName: Name,
        RedirectHost: isLocalUri(request.redirect_uri) && !protocol.startsWith('http') ? protocol.slice(0, -1) : host,
        IsLocal: isLocalUri(request.redirect_uri),
        UserName: person.UserName,
        UserFullName: fullName({ ...person, MiddleName: '' }),
        Days: deps.grantDays,
        Activities: runnable.all,
        Offered: runnable.offered,
      };
    },
    answer: async (person, request, { scope: Scope, address }) => {
      const client = await clientOf(deps, request);
      if (Scope === null) return addressOf(deps, request, { error: 'access_denied' });
      const { redirect_uri: RedirectUri, code_challenge: Challenge } = request;
      const { UserId, SessionId } = person;
      const { ClientId, Name } = client;
      const code = await inTransaction(knex, async (trx) => {
        const Address = address.slice(0, 64);
        const given = { ClientId, UserId, SessionId, RedirectUri, Challenge, Scope, Address };
        const issued = await deps.grants.issueCode(trx, given);
        const action = {
          Action: 'AllowAssistant',
          TargetUserName: person.UserName,
          KeyColumnName: 'Assistant',
          KeyColumnValue: `${Name}, ${new URL(RedirectUri).host || RedirectUri.split(':')[0]!}`.slice(0, 250),
        } as const;
        await recordActions(trx, actorOf(person, address), [action]);
        return issued;
      });
      return addressOf(deps, request, { code });
    },
  };
}

/**
 * Returns the client of a request. Throws an AppError 400 if anything in the request is wrong. The person then sees the
 * reason here: nothing is sent to an address that may be somebody else's.
 */
async function clientOf({ clients, resource }: ConsentDeps, request: ConsentRequest): Promise<Client> {
  const client = await clients.find(request.client_id);
  if (!client) throw refused('This program is not registered here. Connect it again.');
  if (!isRegistered(request.redirect_uri, client.redirectUris)) {
    throw refused('The program wants to be answered at an address that it has not registered.');
  }
  if (request.response_type !== 'code') throw refused('The program must ask for a code.');
  const hasChallenge = /^[A-Za-z0-9_-]{43}$/.test(request.code_challenge);
  if (request.code_challenge_method !== 'S256' || !hasChallenge) {
    throw refused('The program must protect its request with a challenge of the method S256.');
  }
  if (request.resource !== undefined && !isResource(request.resource, resource)) {
    throw refused('The program asks for access to another server.');
  }
  return client;
}

const refused = (message: string): AppError => new AppError('invalid_request', 400, message);

/** Source: RFC 6749, section 4.1.2; RFC 9207. */
function addressOf({ issuer }: ConsentDeps, request: ConsentRequest, parameters: Record<string, string>): string {
  const url = new URL(request.redirect_uri);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  if (request.state !== undefined) url.searchParams.set('state', request.state);
  if (issuer !== null) url.searchParams.set('iss', issuer);
  return url.href;
}
