/** An open account: answers the requests of its windows and holds its session. */
import { randomBytes } from 'node:crypto';
import { logout } from '#shared/contract/auth.ts';
import type { PageSettings } from '#shared/contract/settings.ts';
import type { SsoTokenResponse } from '#shared/contract/sso.ts';
import { createAccountOutbox, type AccountOutbox, type AccountOutboxDeps } from './account-outbox.ts';
import type { Account } from './accounts.ts';
import type { Outbox } from './outbox.ts';
import { createOutboxStore } from './outbox-store.ts';
import type { OutboxEntry } from '#bridge/outbox.ts';
import type { ConnectionInfo } from '#bridge/messages.ts';
import type { ConnectionWatch } from '#bridge/connection.ts';
import { beginBrowserSignIn, type BrowserSignIn } from './browser-sign-in.ts';
import type { Greeting } from './handshake.ts';
import { say } from './language.ts';
import { createOfflineAccount } from './offline-account.ts';
import { loadOfflineReading, type OfflineReading } from './offline-reading.ts';
import type { Blobs, Clock, Log, Net, StreamingNet, Secrets, Shell } from './ports.ts';
import { createOpenPages, type OpenPage } from './open-pages.ts';
import type { CallControl } from './page-call.ts';
import { createPortalProtocol } from './portal-protocol.ts';
import { createServerCalls, type ServerCalls } from './server-calls.ts';
import { askFirst, watchServer, type ServerWatch } from './server-watch.ts';
import { loadSessionTokens } from './session-tokens.ts';

export interface PageFolders {
  renderer: string;
  servers: string;
}

export interface AccountPortal {
  account: Account;
  title(): string;
  /** Answers requests of the account's windows. */
  handle(request: Request, control?: CallControl): Promise<Response>;
  /** Registers a page that a window of the account shows. */
  openPage: () => OpenPage;
  /** Token of the session; null while nobody is signed in. */
  token(): string | null;
  /**
   * Contacts the server again, unless stored data is readable without it. Throws a ServerProblem if it is unreachable.
   */
  greet: () => Promise<void>;
  /** Why the session will be discarded when the program ends; '' if it is stored. */
  keychainProblem(): string;
  /** Connection to this account's server. */
  connection: ConnectionWatch;
  /** Connection state in the form for pages. */
  connectionInfo(): ConnectionInfo;
  /** Starts that wait for its server. */
  outbox: Outbox;
  beginSignIn(): Promise<BrowserSignIn>;
  /** Stores the session that a sign-in returned. Returns the one-time token with which a page takes it over. */
  admit(answer: SsoTokenResponse): Promise<string>;
  /** Reports that the server no longer accepts the token, for example because the session was ended elsewhere. */
  refused(token: string, serverNow: number): void;
  /** Reports that the server accepted the token in a call that no page made. */
  reached(token: string): void;
  /** Ends the session on the server, if it is reachable, and forgets it here. */
  signOut(): Promise<void>;
  /** Stops polling its server. */
  stop(): void;
}

export interface AccountPortalDeps {
  net: StreamingNet;
  secrets: Secrets;
  shell: Shell;
  clock: Clock;
  folders: PageFolders;
  /** Returns a folder of the account by name. */
  blobs: (folder: string) => Blobs;
  log: Log;
  onOutbox: (entries: OutboxEntry[]) => void;
  onOutboxNotification: (entry: OutboxEntry) => void;
  onUnreadable: (count: number) => void;
  /**
   * Called when a session was created or renewed. @param problem why it will be discarded when the program ends; '' if
   * it is stored @param userName null if it is the same user as before
   */
  onSessionChanged: (problem: string, userName: string | null) => void;
  /** Writes the data stored by pages of the account to disk immediately. */
  flush: (account: Account) => void;
}

const SIGN_OUT_MS = 3000;

/** Name of the account's item in the keychain. */
const secretName = ({ address, id }: Account): string => `${address}|${id}`;

/** Name of the key that encrypts the data readable offline. */
const offlineKeyName = (account: Account): string => `${secretName(account)}|kept`;

/** Names of the keychain items that are read when an account is opened. */
export const secretsToOpen = (account: Account): string[] => [offlineKeyName(account), secretName(account)];

/** Folder of the data readable offline. */
const offlineFolderName = ({ id }: Account): string => `kept-${id}`;

/** Deletes all data stored for an account, the keys first. Never rejects. */
export async function forgetAccount(
  account: Account,
  deps: Pick<AccountPortalDeps, 'secrets' | 'blobs' | 'clock'>,
): Promise<void> {
  for (const name of [secretName(account), offlineKeyName(account)])
    await deps.secrets.remove(name).catch(() => undefined);
  const folder = deps.blobs(offlineFolderName(account));
  await Promise.allSettled([folder.removeAll(), outboxStoreOf(account, deps).erase()]);
}

/**
 * Returns the number of waiting starts of all users of the account; null if the keychain does not provide their key.
 */
export async function countWaiting(
  account: Account,
  deps: Pick<AccountPortalDeps, 'secrets' | 'blobs' | 'clock'>,
): Promise<number | null> {
  const folder = deps.blobs(`outbox-${account.id}`);
  // If nothing ever waited for the account, no key is needed.
  if ((await folder.list()).length === 0) return 0;
  const entries = await outboxStoreOf(account, deps)
    .entries()
    .catch(() => null);
  return entries && entries.filter(({ State }) => State !== 'started').length;
}

/** Message for the user if the keychain does not store the session; '' if it does. */
export const sessionNotStoredText = (problem: string): string =>
  problem === '' ? '' : `${problem}. ${say('You must sign in again after closing the program.')}`;

/** Throws a ServerProblem if no compatible portal responds. */
export async function openAccountPortal(account: Account, deps: AccountPortalDeps): Promise<AccountPortal> {
  const { net, shell, clock, folders } = deps;
  const { address } = account;
  // Runs in parallel with the keychain, which also takes time.
  const first = askFirst(net, clock, address);
  const [reading, tokens] = await loadStoredData(account, deps);
  let storeGreeting = (_greeting: Greeting): void => undefined;
  const onGreeting = (greeting: Greeting): void => storeGreeting(greeting);
  const canQueue = (): boolean => tokens.problem() === '';
  const server = await watchServer({ net, clock, address, reading, first, onGreeting, canQueue });
  const { connection, connectionInfo } = server;
  const admitted = createAdmitted();
  const token = (): string | null => tokens.current();
  let { userName } = account;
  const outbox = openOutbox(account, deps, { connection, token, userName: () => userName, canQueue });
  const offline = createOfflineAccount({ ...deps, account, reading, connection, outbox, token });
  ({ storeGreeting } = offline);
  storeGreeting(server.greeting());
  const forget = (): Promise<void> => tokens.forget().then(() => reading.signedOut());
  const onToken = async (name: string | null, answer: object): Promise<void> => {
    userName = name ?? userName;
    await offline.onToken(name, answer);
    deps.onSessionChanged(tokens.problem(), name);
  };
  const calls = createServerCalls({
    net,
    address,
    tokens,
    onToken,
    // Must happen first: the session still identifies the owner of these starts.
    onSignOut: () => outbox.outbox.discard().then(forget),
    onTaken: () => deps.flush(account),
    takeSignIn: admitted.take,
    connection,
    offline: offline.calls,
  });
  return {
    account,
    title: () => server.greeting().settings.title,
    ...protocolOf(folders, server, calls, () => sessionNotStoredText(tokens.problem())),
    token,
    greet: server.greet,
    keychainProblem: () => tokens.problem(),
    connection,
    connectionInfo,
    beginSignIn: () => beginBrowserSignIn({ net, shell, clock, address }),
    admit: async (answer) => {
      const access_token = await tokens.store(answer.access_token);
      await onToken(answer.UserName, answer);
      // The provider's session is in the system browser; renewing it requires another sign-in there.
      return admitted.add({ ...answer, access_token, ssoProvider: null });
    },
    ...createCallReports(reading, token),
    signOut: async () => {
      const bearer = token();
      await forget();
      if (bearer !== null) await endOnServer(net, address, bearer);
    },
    outbox: outbox.outbox,
    stop: () => [connection, reading, outbox.outbox].forEach((part) => part.stop()),
  };
}

/** Reports results of the main process's own calls. Calls made with an outdated token are ignored. */
const createCallReports = (
  reading: OfflineReading,
  token: () => string | null,
): Pick<AccountPortal, 'reached' | 'refused'> => ({
  reached: (bearer) => {
    if (bearer === token()) reading.contact();
  },
  refused: (bearer, serverNow) => {
    if (bearer === token()) void reading.refused(serverNow);
  },
});

function protocolOf(
  { renderer, servers }: PageFolders,
  server: ServerWatch,
  calls: ServerCalls,
  notice: () => string,
): Pick<AccountPortal, 'handle' | 'openPage'> {
  const pages = createOpenPages();
  const settings = (): PageSettings => server.greeting().settings;
  const frameOrigins = (): readonly string[] => server.greeting().frameOrigins;
  const portal = { settings, frameOrigins, calls, connectionInfo: server.connectionInfo, notice, pages };
  const deps = { rendererFolder: renderer, serversFolder: servers, portal };
  return { handle: createPortalProtocol(deps), openPage: pages.open };
}

const openOutbox = (
  account: Account,
  deps: AccountPortalDeps,
  how: Pick<AccountOutboxDeps, 'connection' | 'token' | 'userName' | 'canQueue'>,
): AccountOutbox =>
  createAccountOutbox({
    ...deps,
    ...how,
    address: account.address,
    store: outboxStoreOf(account, deps),
    onChange: deps.onOutbox,
    onNotification: deps.onOutboxNotification,
    onUnreadable: deps.onUnreadable,
  });

const outboxStoreOf = (
  account: Account,
  { blobs, secrets, clock }: Pick<AccountPortalDeps, 'blobs' | 'secrets' | 'clock'>,
) =>
  createOutboxStore({ blobs: blobs(`outbox-${account.id}`), secrets, keyName: `${secretName(account)}|outbox`, clock });

const loadReading = (account: Account, deps: AccountPortalDeps): Promise<OfflineReading> =>
  loadOfflineReading({
    ...deps,
    blobs: deps.blobs(offlineFolderName(account)),
    keyName: offlineKeyName(account),
    userName: account.userName,
  });

const loadStoredData = (account: Account, deps: AccountPortalDeps) =>
  Promise.all([loadReading(account, deps), loadSessionTokens(deps.secrets, secretName(account))]);

/** Results of sign-ins that this program has made, by the one-time tokens with which its pages take them over. */
function createAdmitted() {
  const answers = new Map<string, object>();
  return {
    add: (answer: object): string => {
      const ott = `own-${randomBytes(24).toString('base64url')}`;
      answers.set(ott, answer);
      return ott;
    },
    take: (ott: string): object | null => {
      const answer = answers.get(ott) ?? null;
      answers.delete(ott);
      return answer;
    },
  };
}

async function endOnServer(net: Net, address: string, token: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const call = { method: 'POST', headers, body: 'null', signal: AbortSignal.timeout(SIGN_OUT_MS) };
  // If the server cannot be reached, the session there ends when it expires.
  await net.fetch(address + logout.path.slice(1), call).catch(() => undefined);
}
