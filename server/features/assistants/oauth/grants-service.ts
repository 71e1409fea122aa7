/** Grants of people to assistants: codes, access tokens and refresh tokens (OAuth 2.1, RFC 7636, RFC 8707). */
import { actorOf } from '#server/access/actor.ts';
import { recordActions } from '#server/access/audit/record-actions.ts';
import { AppError } from '#server/base/app-error.ts';
import type { Log } from '#server/base/log.ts';
import type { Person } from '#server/base/person.ts';
import type { Database } from '#server/db/database.ts';
import type { Db } from '#server/db/dialect/types.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { AssistantScope } from '#shared/contract/assistants.ts';
import type { ClientsService } from './clients-service.ts';
import {
  deleteCode,
  deleteOldTokens,
  endGrant,
  findToken,
  insertCode,
  insertGrant,
  insertToken,
  isGrant,
  isOpen,
  lockCode,
  lockGrant,
  replaceTokens,
  touchClient,
  touchGrant,
  useCode,
  type FoundCode,
  type FoundToken,
} from './oauth-repository.ts';
import { ACCESS_PREFIX, fitsChallenge, hashOf, newSecret, REFRESH_PREFIX } from './secrets.ts';

export interface NewCode {
  ClientId: string;
  UserId: number;
  RedirectUri: string;
  Challenge: string;
  Scope: AssistantScope;
  Address: string;
  /** The person's session. If it ends first, the code no longer counts: a thief of it must not outlast it. */
  SessionId: string;
}

export interface TokenRequest {
  grant_type: string;
  client_id?: string;
  code?: string;
  code_verifier?: string;
  redirect_uri?: string;
  refresh_token?: string;
  resource?: string;
}

export interface Tokens {
  access_token: string;
  token_type: 'Bearer';
  expires_in: number;
  refresh_token: string;
  scope: AssistantScope;
}

export interface GrantsService {
  /** Returns the code that a program exchanges for tokens within a minute. `db` is the transaction of the consent. */
  issueCode(db: Db, code: NewCode): Promise<string>;
  /** Throws an AppError 400 with a code of RFC 6749, section 5.2, or RFC 8707, section 2. */
  exchange(request: TokenRequest, address: string): Promise<Tokens>;
  /** Throws an AppError 401 if the token is not, or no longer, one of a grant. */
  authenticate(accessToken: string): Promise<{ person: Person; clientName: string; scope: AssistantScope }>;
  /** Ends the grant of a token; does nothing if there is none. */
  revoke(token: string, address: string): Promise<void>;
}

export interface GrantsDeps {
  database: Pick<Database, 'knex'>;
  clients: Pick<ClientsService, 'find'>;
  log: Log;
  /** The resource that all tokens are for; null if there are no grants. */
  resource: string | null;
  grantDays: number;
}

const CODE_SECONDS = 60;
const ACCESS_SECONDS = 900;
/** A replaced refresh token is accepted again for this long, because the response to its use may have been lost. */
const REPLACED_SECONDS = 30;
const NOTE_USE_EVERY_SECONDS = 60;
const DAY = 86_400;
const MAX_IDLE_DAYS = 30;

export function createGrantsService(deps: GrantsDeps): GrantsService {
  const { knex } = deps.database;
  return {
    issueCode: async (db, code) => {
      const secret = newSecret();
      await insertCode(db, { ...code, CodeHash: hashOf(secret) }, CODE_SECONDS);
      return secret;
    },
    exchange: async (request, address) => {
      const { resource, grant_type: type } = request;
      if (resource !== undefined && !isResource(resource, deps.resource)) {
        throw new AppError('invalid_target', 400, 'There are no tokens for this resource here');
      }
      if (type === 'authorization_code') return exchangeCode(deps, request, address);
      if (type === 'refresh_token') return refresh(deps, request, address);
      throw new AppError('unsupported_grant_type', 400, 'The grant type is not supported');
    },
    authenticate: async (token) => {
      const found = token.startsWith(ACCESS_PREFIX) ? await findToken(knex, hashOf(token)) : undefined;
      if (!found || found.IsRefresh || found.expiredFor >= 0 || !isAlive(found, deps)) throw notSignedIn();
      if (found.idleFor > NOTE_USE_EVERY_SECONDS) await touchGrant(knex, found.SessionId);
      const {
        UserId,
        UserName,
        FirstName,
        LastName,
        Source,
        IsUserAdmin,
        ClientName: clientName,
        Scope: scope,
      } = found;
      const person: Person = { UserId, UserName, FirstName, LastName, Source, IsUserAdmin, SessionId: '' };
      return { person, clientName, scope };
    },
    revoke: async (token, address) => {
      const found = await findToken(knex, hashOf(token));
      if (!found) return;
      await inTransaction(knex, (trx) => end(trx, found.SessionId, { address, reason: 'revoked by the program' }));
    },
  };
}

/** A resource is compared letter for letter, but for a slash at its end. */
export const isResource = (text: string, own: string | null): boolean =>
  own !== null && text.replace(/\/$/, '') === own;

const isAlive = (found: FoundToken, { grantDays }: Pick<GrantsDeps, 'grantDays'>): boolean =>
  found.Enabled && found.grantedFor < grantDays * DAY && found.idleFor < MAX_IDLE_DAYS * DAY;

const invalidGrant = (): AppError => new AppError('invalid_grant', 400, 'The grant is not valid, or no longer valid');

/** Programs register again after this answer. After any other one, they would ask for consent with the same id. */
const invalidClient = (): AppError =>
  new AppError('invalid_client', 401, 'The program is not registered here. Register it again');

const notSignedIn = (): AppError => new AppError('notSignedIn', 401, 'You do not have permissions for this operation');

/** Ends a grant that the person did not end. Call it last in the transaction, see recordActions. */
async function end(
  trx: Db,
  SessionId: string,
  { address, reason }: { address: string; reason: string },
): Promise<void> {
  const owner = await endGrant(trx, SessionId);
  if (!owner) return;
  const action = {
    Action: 'EndAssistant',
    TargetUserName: owner.UserName,
    KeyColumnName: 'Assistant',
    KeyColumnValue: `${owner.ClientName}: ${reason}`,
  } as const;
  await recordActions(trx, actorOf({ ...owner, SessionId: '' }, address), [action]);
}

async function exchangeCode(deps: GrantsDeps, request: TokenRequest, address: string): Promise<Tokens> {
  const { code, client_id: clientId } = request;
  if (!code || !clientId) throw new AppError('invalid_request', 400, 'code and client_id are required');
  const client = await deps.clients.find(clientId);
  // What refuses a code must be stored too, so nothing is thrown within the transaction.
  const tokens = await inTransaction(deps.database.knex, async (trx) => {
    const found = await lockCode(trx, hashOf(code));
    if (!found) return null;
    if (found.SessionId === null) return null;
    if (await isGrant(trx, found.SessionId)) {
      deps.log.warn({ userId: found.UserId, address }, 'a code of an assistant was used twice: its grant is ended');
      await end(trx, found.SessionId, { address, reason: 'a code was used twice' });
      return null;
    }
    if (!client || !fitsCode(found, request) || !(await isOpen(trx, found.SessionId))) {
      await deleteCode(trx, found.CodeHash);
      return null;
    }
    const { UserId, ClientId, Scope, Address, CodeHash } = found;
    const SessionId = newSecret();
    await insertGrant(trx, { SessionId, UserId, ClientId, ClientName: client.Name, Scope, Address });
    await useCode(trx, CodeHash, SessionId);
    await touchClient(trx, ClientId);
    return issueTokens(trx, { SessionId, Scope, seconds: deps.grantDays * DAY });
  });
  if (!client) throw invalidClient();
  if (!tokens) throw invalidGrant();
  return tokens;
}

function fitsCode(code: FoundCode, { client_id, redirect_uri, code_verifier = '' }: TokenRequest): boolean {
  const isSame = code.ClientId === client_id && code.RedirectUri === redirect_uri;
  return code.expiredFor < 0 && isSame && fitsChallenge(code_verifier, code.Challenge);
}

async function refresh(deps: GrantsDeps, request: TokenRequest, address: string): Promise<Tokens> {
  const { refresh_token: token, client_id: clientId } = request;
  if (!token || !clientId) throw new AppError('invalid_request', 400, 'refresh_token and client_id are required');
  if (!(await deps.clients.find(clientId))) throw invalidClient();
  const tokens = await inTransaction(deps.database.knex, async (trx) => {
    const before = await findToken(trx, hashOf(token));
    if (!before) return null;
    await lockGrant(trx, before.SessionId);
    const found = await findToken(trx, hashOf(token));
    if (!found?.IsRefresh || found.ClientId !== clientId || found.expiredFor >= 0 || !isAlive(found, deps)) return null;
    const { SessionId, Scope, replacedFor } = found;
    if (replacedFor !== null && replacedFor > REPLACED_SECONDS) {
      deps.log.warn({ user: found.UserName, address }, 'a replaced token of an assistant was used: its grant is ended');
      await end(trx, SessionId, { address, reason: 'a token was used twice' });
      return null;
    }
    await replaceTokens(trx, SessionId);
    await touchGrant(trx, SessionId);
    await deleteOldTokens(trx, SessionId);
    return issueTokens(trx, { SessionId, Scope, seconds: deps.grantDays * DAY - found.grantedFor });
  });
  if (!tokens) throw invalidGrant();
  return tokens;
}

async function issueTokens(
  trx: Db,
  { SessionId, Scope, seconds }: { SessionId: string; Scope: AssistantScope; seconds: number },
): Promise<Tokens> {
  const access = newSecret(ACCESS_PREFIX);
  const refreshing = newSecret(REFRESH_PREFIX);
  const lifetime = Math.min(ACCESS_SECONDS, Math.ceil(seconds));
  await insertToken(trx, { TokenHash: hashOf(access), SessionId, IsRefresh: false }, lifetime);
  await insertToken(trx, { TokenHash: hashOf(refreshing), SessionId, IsRefresh: true }, Math.ceil(seconds));
  return {
    access_token: access,
    token_type: 'Bearer',
    expires_in: lifetime,
    refresh_token: refreshing,
    scope: Scope,
  };
}
