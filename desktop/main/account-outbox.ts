/**
 * The outbox of an account: sends starts with the account's session, copies files that are chosen while the server is
 * unreachable, and uploads these copies later.
 */
import type { ConnectionWatch } from '#bridge/connection.ts';
import type { OutboxEntry } from '#bridge/outbox.ts';
import { uploadFiles } from '#shared/contract/files.ts';
import { SERVER_TIME_HEADER } from '#shared/contract/headers.ts';
import type { StartBody } from '#shared/contract/runs.ts';
import { say } from './language.ts';
import type { PageCall } from './page-call.ts';
import { createOutbox, type Outbox } from './outbox.ts';
import { withUploads, type SendCall } from './outbox-sending.ts';
import type { OutboxStore } from './outbox-store.ts';
import type { Clock, Log, Net } from './ports.ts';

export interface AccountOutboxDeps {
  store: OutboxStore;
  net: Net;
  /** Address of the server; ends with '/'. */
  address: string;
  clock: Clock;
  log: Log;
  connection: ConnectionWatch;
  /** Token of the session; null while nobody is signed in. */
  token: () => string | null;
  userName: () => string | null;
  /** Returns whether this computer has a keychain to protect waiting starts. */
  canQueue: () => boolean;
  onChange: (entries: OutboxEntry[]) => void;
  onNotification: (entry: OutboxEntry) => void;
  /** Called with the number of entries that cannot be read because the keychain no longer has their key. */
  onUnreadable: (count: number) => void;
}

export interface AccountOutbox {
  outbox: Outbox;
  /** Stores copies of the files of an upload while the server is unreachable; returns null for any other call. */
  takeUpload: (call: PageCall) => Promise<Response | null>;
  /**
   * Returns the body to send for a call, after uploading files that were copied here. Returns a Response if one was
   * refused. Rejects if the server is unreachable.
   */
  bodyOf: (call: PageCall) => Promise<Uint8Array | undefined | Response>;
}

const SEND_TIMEOUT_MS = { upload: 10 * 60_000, other: 60_000 };

export function createAccountOutbox(deps: AccountOutboxDeps): AccountOutbox {
  const { store, connection, token, log } = deps;
  /** A token that the server no longer accepts; it is not used again. */
  let refused: string | null = null;
  /** The server's time when it refused that token. */
  let refusedAt = '';
  const send: SendCall = async (path, init) => {
    const used = token();
    try {
      const response = await fetchAs(deps, used, path, init);
      const serverTime = response.headers.get(SERVER_TIME_HEADER);
      connection.noticed(serverTime !== null);
      // A 401 from a proxy or a network sign-in page says nothing about the session.
      if (serverTime !== null && response.status === 401) [refused, refusedAt] = [used, serverTime];
      return response;
    } catch (error) {
      connection.noticed(false);
      throw error;
    }
  };
  const isOnline = (): boolean => connection.state() === 'online' && token() !== null && token() !== refused;
  const userName = (): string | null => (token() === null ? null : deps.userName());
  const outbox = createOutbox({ ...deps, send, isOnline, userName });
  connection.onChange((state) => {
    if (state === 'online') void outbox.work();
  });
  const sweepFiles = async (): Promise<void> => {
    const unreadable = await store.sweep();
    if (unreadable > 0) deps.onUnreadable(unreadable);
  };
  sweepFiles().catch((error: unknown) => log('files that wait could not be looked through', error));
  /** Server ids of files already uploaded for a form, for its next attempt. */
  const uploaded = new Map<string, string>();
  return {
    outbox,
    takeUpload: async (call) => {
      if (call.method !== 'POST' || call.path !== uploadFiles.path || !call.isSignedIn || !call.body) return null;
      // The page then reports that the server is unreachable.
      if (!deps.canQueue()) return null;
      return spoolUpload(store, call).catch((error: unknown) => {
        log('a file could not be copied', error);
        const Message = say('The file could not be copied to this computer: {reason}', {
          reason: (error as Error).message,
        });
        return json({ Message }, 507);
      });
    },
    bodyOf: async (call) => {
      const start = call.method === 'POST' ? startWithSpool(call.body) : null;
      if (!start) return call.body;
      const known = (id: string): string | null => uploaded.get(id) ?? null;
      const onUploaded = async (id: string, fileId: string): Promise<void> => void uploaded.set(id, fileId);
      const ready = await withUploads(start, { store, send, known, onUploaded });
      if (ready.kind === 'ready') return Buffer.from(JSON.stringify(ready.start));
      if (ready.kind === 'away') throw new TypeError('the server was not reached');
      return ready.kind === 'signedOut'
        ? json({ message: '' }, 401, { [SERVER_TIME_HEADER]: refusedAt })
        : json({ message: ready.kind === 'refused' ? ready.why : '' }, 400);
    },
  };
}

const json = (content: unknown, status: number, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(content), {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
  });

function fetchAs(
  { net, address }: AccountOutboxDeps,
  token: string | null,
  path: string,
  init: Parameters<SendCall>[1],
): Promise<Response> {
  const timeoutMs = path === uploadFiles.path ? SEND_TIMEOUT_MS.upload : SEND_TIMEOUT_MS.other;
  return net.fetch(address + path.slice(1), {
    ...init,
    headers: { ...init.headers, authorization: `Bearer ${token ?? ''}` },
    signal: AbortSignal.timeout(timeoutMs),
  });
}

async function spoolUpload(store: OutboxStore, { body, contentType }: PageCall): Promise<Response> {
  const form = await new Response(body as BodyInit, { headers: { 'content-type': contentType } }).formData();
  const Items = [];
  for (const file of form.getAll('files')) {
    if (typeof file === 'string') continue;
    const content = new Uint8Array(await file.arrayBuffer());
    Items.push({ Id: await store.spool({ name: file.name, content }), Name: file.name });
  }
  return json({ Items }, 200);
}

/** Returns the body of a start that refers to copied files; null for any other body. */
function startWithSpool(body: Uint8Array | undefined): Pick<StartBody, 'Inputs'> | null {
  if (!body || !Buffer.from(body.buffer, body.byteOffset, body.length).includes('"spool-')) return null;
  try {
    const start = JSON.parse(new TextDecoder().decode(body)) as Partial<StartBody> | null;
    return Array.isArray(start?.Inputs) ? (start as Pick<StartBody, 'Inputs'>) : null;
  } catch {
    return null;
  }
}
