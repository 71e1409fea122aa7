/** The programs of assistants, as they register themselves (RFC 7591). */
import { randomBytes } from 'node:crypto';
import { AppError } from '#server/base/app-error.ts';
import type { Database } from '#server/db/database.ts';
import { cleanText } from '../clean-text.ts';
import { countClients, deleteUnusedClients, findClient, insertClient } from './oauth-repository.ts';
import { isRedirectUri } from './redirect-uris.ts';

export interface Client {
  ClientId: string;
  Name: string;
  redirectUris: readonly string[];
}

export interface ClientsService {
  /** Throws an AppError 400 with a code of RFC 7591. */
  register(metadata: { redirect_uris: readonly string[]; client_name?: string }): Promise<Client>;
  find(clientId: string): Promise<Client | undefined>;
}

const MAX_NAME = 100;
/** Anybody may register: so programs that nobody consented to are soon deleted, and sooner if there are many. */
const UNUSED_SECONDS = 86_400;
const UNUSED_SECONDS_IF_FULL = 600;
const MAX_CLIENTS = 20_000;

export function createClientsService({ knex }: Pick<Database, 'knex'>): ClientsService {
  return {
    register: async ({ redirect_uris: uris, client_name: given = '' }) => {
      if (!uris.every(isRedirectUri)) {
        const message = 'A redirect URI must use https, or belong to a program on the computer of the person';
        throw new AppError('invalid_redirect_uri', 400, message);
      }
      await makeRoom(knex);
      const Name = cleanText(given, MAX_NAME) || cleanText(new URL(uris[0]!).host, MAX_NAME) || 'An assistant';
      const client = { ClientId: randomBytes(24).toString('base64url'), Name, redirectUris: [...new Set(uris)] };
      const { ClientId, redirectUris } = client;
      await insertClient(knex, { ClientId, Name, RedirectUris: JSON.stringify(redirectUris) });
      return client;
    },
    find: async (clientId) => {
      const row = await findClient(knex, clientId);
      return row && { ...row, redirectUris: JSON.parse(row.RedirectUris) as string[] };
    },
  };
}

async function makeRoom(knex: Database['knex']): Promise<void> {
  await deleteUnusedClients(knex, UNUSED_SECONDS);
  if ((await countClients(knex)) < MAX_CLIENTS) return;
  await deleteUnusedClients(knex, UNUSED_SECONDS_IF_FULL);
  if ((await countClients(knex)) < MAX_CLIENTS) return;
  throw new AppError('temporarily_unavailable', 503, 'Too many programs are registered. Try again later.');
}
