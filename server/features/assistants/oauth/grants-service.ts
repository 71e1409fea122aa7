/** Grants of people to assistants: codes, access tokens and refresh tokens (OAuth 2.1, RFC 7636, RFC 8707). */
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
  isEnabled,
  lockCode,
  lockGrant,
  replaceToken,
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
  exchange(request: TokenRequest): Promise<Tokens>;
  /** Throws an AppError 401 if the token is not, or no longer, one of a grant. */
  authenticate(accessToken: string): Promise<{ person: Person; clientName: string; scope: AssistantScope }>;
  /** Ends the grant of a token; does nothing if there is none. */
  revoke(token: string): Promise<void>;
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

export function createGrantsService(deps: GrantsDeps): GrantsService {
  const { knex } = deps.database;
  return {
    issueCode: async (db, code) => {
      const secret = newSecret();
      await insertCode(db, { ...code, CodeHash: hashOf(secret) }, CODE_SECONDS);
      return secret;
    },
    exchange: async (request) => {
      const { resource, grant_type: type } = request;
      if (resource !== undefined && !isResource(resource, deps.resource)) {
        throw new AppError('invalid_target', 400, 'There are no tokens for this resource here');
      }
      if (type === 'authorization_code') return exchangeCode(deps, request);
      if (type === 'refresh_token') return refresh(deps, request);
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
    revoke: async (token) => {
      const found = await findToken(knex, hashOf(token));
      if (found) await endGrant(knex, found.SessionId);
    },
  };
}

/** A resource is compared letter for letter, but for a slash at its end. */
export const isResource = (text: string, own: string | null): boolean =>
  own !== null && text.replace(/\/$/, '') === own;

const isAlive = ({ Enabled, grantedFor }: FoundToken, { grantDays }: Pick<GrantsDeps, 'grantDays'>): boolean =>
  Enabled && grantedFor < grantDays * DAY;

const invalidGrant = (): AppError => new AppError('invalid_grant', 400, 'The grant is not valid, or no longer valid');

const notSignedIn = (): AppError => new AppError('notSignedIn', 401, 'You do not have permissions for this operation');

async function exchangeCode(deps: GrantsDeps, request: TokenRequest): Promise<Tokens> {
  const { code, client_id: clientId } = request;
  if (!code || !clientId) throw new AppError('invalid_request', 400, 'code and client_id are required');
  const client = await deps.clients.find(clientId);
  // What refuses a code must be stored too, so nothing is thrown within the transaction.
  const tokens = await inTransaction(deps.database.knex, async (trx) => {
    const found = await lockCode(trx, hashOf(code));
    if (!found) return null;
    if (found.SessionId !== null) {
      deps.log.warn({ userId: found.UserId }, 'a code of an assistant was used twice: its grant is ended');
      await endGrant(trx, found.SessionId);
      return null;
    }
    if (!client || !fitsCode(found, request) || !(await isEnabled(trx, found.UserId))) {
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
  if (!tokens) throw invalidGrant();
  return tokens;
}

function fitsCode(code: FoundCode, { client_id, redirect_uri, code_verifier = '' }: TokenRequest): boolean {
  const isSame = code.ClientId === client_id && code.RedirectUri === redirect_uri;
  return code.expiredFor < 0 && isSame && fitsChallenge(code_verifier, code.Challenge);
}

async function refresh(deps: GrantsDeps, { refresh_token: token, client_id: clientId }: TokenRequest): Promise<Tokens> {
  if (!token || !clientId) throw new AppError('invalid_request', 400, 'refresh_token and client_id are required');
  const tokens = await inTransaction(deps.database.knex, async (trx) => {
    const before = await findToken(trx, hashOf(token));
    if (!before) return null;
    await lockGrant(trx, before.SessionId);
    const found = await findToken(trx, hashOf(token));
    if (!found?.IsRefresh || found.ClientId !== clientId || found.expiredFor >= 0 || !isAlive(found, deps)) return null;
    const { SessionId, Scope, replacedFor } = found;
    if (replacedFor !== null && replacedFor > REPLACED_SECONDS) {
      deps.log.warn({ user: found.UserName }, 'a replaced token of an assistant was used: its grant is ended');
      await endGrant(trx, SessionId);
      return null;
    }
    await replaceToken(trx, hashOf(token));
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
