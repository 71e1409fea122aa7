/** An account that is open: what its windows are answered, and its session. */
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
  /** For a page that a window of the account shows. */
  openPage: () => OpenPage;
  /** Of the session; null while nobody is signed in. */
  token(): string | null;
  /** Asks the server once more what it is. Throws a ServerProblem where it is away and nothing can be read without it. */
  greet: () => Promise<void>;
  /** Why the session is forgotten when the program ends; '' where it is kept. */
  keychainProblem(): string;
  /** Of this account's server. */
  connection: ConnectionWatch;
  /** As its pages are told. */
  connectionInfo(): ConnectionInfo;
  /** Starts that wait for its server. */
  outbox: Outbox;
  beginSignIn(): Promise<BrowserSignIn>;
  /** Keeps the session that a sign-in came back with; answers the one-time name by which a page takes it over. */
  admit(answer: SsoTokenResponse): Promise<string>;
  /** The server takes the token no more, be it that the session was ended elsewhere. */
  refused(token: string, serverNow: number): void;
  /** The server has answered the session beside what pages ask. */
  reached(token: string): void;
  /** Ends the session on the server, as far as it can be reached, and forgets it here. */
  signOut(): Promise<void>;
  /** Looks for its server no more. */
  stop(): void;
}

export interface AccountPortalDeps {
  net: StreamingNet;
  secrets: Secrets;
  shell: Shell;
  clock: Clock;
  folders: PageFolders;
  /** A folder of the account, by its name. */
  blobs: (folder: string) => Blobs;
  log: Log;
  onOutbox: (entries: OutboxEntry[]) => void;
  onOutboxNews: (entry: OutboxEntry) => void;
  onUnreadable: (count: number) => void;
  /** A session was given or renewed. @param problem why it is forgotten when the program ends; '' where it is kept @param userName null where it is the same person as before */
  onKept: (problem: string, userName: string | null) => void;
  /** Has what pages of the account have stored written to the disk by now. */
  flush: (account: Account) => void;
}

const SIGN_OUT_MS = 3000;

/** Of the account's item in the keychain. */
export const secretName = ({ address, id }: Account): string => `${address}|${id}`;

/** Of the key with which what can be read without the server is encrypted. */
const keptKey = (account: Account): string => `${secretName(account)}|kept`;

/** What the keychain is asked for as an account is opened. */
export const secretsToOpen = (account: Account): string[] => [keptKey(account), secretName(account)];

/** Where what can be read without the server lies. */
const keptFolder = ({ id }: Account): string => `kept-${id}`;

/** Deletes all that is kept of an account: the keys first. Never rejects. */
export async function forgetAccount(
  account: Account,
  deps: Pick<AccountPortalDeps, 'secrets' | 'blobs' | 'clock'>,
): Promise<void> {
  for (const name of [secretName(account), keptKey(account)]) await deps.secrets.remove(name).catch(() => undefined);
  const folder = deps.blobs(keptFolder(account));
  await Promise.allSettled([folder.removeAll(), outboxStoreOf(account, deps).erase()]);
}

/** Starts that wait here and were not begun, whoever's they are; null where the keychain does not give their key. */
export async function countWaiting(
  account: Account,
  deps: Pick<AccountPortalDeps, 'secrets' | 'blobs' | 'clock'>,
): Promise<number | null> {
  const folder = deps.blobs(`outbox-${account.id}`);
  // An account at which nothing ever waited needs no key.
  if ((await folder.list()).length === 0) return 0;
  const entries = await outboxStoreOf(account, deps)
    .entries()
    .catch(() => null);
  return entries && entries.filter(({ State }) => State !== 'started').length;
}

/** What the person is told where the keychain does not keep the session; '' where it does. */
export const notKept = (problem: string): string =>
  problem === '' ? '' : `${problem}. ${say('You will have to sign in again when the program was closed.')}`;

/** Throws a ServerProblem where no portal that fits answers. */
export async function openAccountPortal(account: Account, deps: AccountPortalDeps): Promise<AccountPortal> {
  const { net, shell, clock, folders } = deps;
  const { address } = account;
  // Beside the keychain, which takes its time, too.
  const first = askFirst(net, clock, address);
  const [reading, tokens] = await loadKept(account, deps);
  let keepGreeting = (_greeting: Greeting): void => undefined;
  const onGreeting = (greeting: Greeting): void => keepGreeting(greeting);
  const canQueue = (): boolean => tokens.problem() === '';
  const server = await watchServer({ net, clock, address, reading, first, onGreeting, canQueue });
  const { connection, connectionInfo } = server;
  const admitted = createAdmitted();
  const token = (): string | null => tokens.current();
  let { userName } = account;
  const outbox = openOutbox(account, deps, { connection, token, userName: () => userName, canQueue });
  const offline = createOfflineAccount({ ...deps, account, reading, connection, outbox, token });
  ({ keepGreeting } = offline);
  keepGreeting(server.greeting());
  const forget = (): Promise<void> => tokens.forget().then(() => reading.signedOut());
  const onToken = async (name: string | null, answer: object): Promise<void> => {
    userName = name ?? userName;
    await offline.onToken(name, answer);
    deps.onKept(tokens.problem(), name);
  };
  const calls = createServerCalls({
    net,
    address,
    tokens,
    onToken,
    // While the session still says whose starts these are.
    onSignOut: () => outbox.outbox.discard().then(forget),
    onTaken: () => deps.flush(account),
    takeSignIn: admitted.take,
    connection,
    offline: offline.calls,
  });
  return {
    account,
    title: () => server.greeting().settings.title,
    ...protocolOf(folders, server, calls, () => notKept(tokens.problem())),
    token,
    greet: server.greet,
    keychainProblem: () => tokens.problem(),
    connection,
    connectionInfo,
    beginSignIn: () => beginBrowserSignIn({ net, shell, clock, address }),
    admit: async (answer) => {
      const access_token = await tokens.keep(answer.access_token);
      await onToken(answer.UserName, answer);
      // The provider's session belongs to the browser: it is renewed there, by signing in once more.
      return admitted.add({ ...answer, access_token, ssoProvider: null });
    },
    ...heardOfServer(reading, token),
    signOut: async () => {
      const bearer = token();
      await forget();
      if (bearer !== null) await endOnServer(net, address, bearer);
    },
    outbox: outbox.outbox,
    stop: () => [connection, reading, outbox.outbox].forEach((part) => part.stop()),
  };
}

/** By what main itself asks: of another session than the one there is it counts for nothing. */
const heardOfServer = (
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
    onNews: deps.onOutboxNews,
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
    blobs: deps.blobs(keptFolder(account)),
    keyName: keptKey(account),
    userName: account.userName,
  });

const loadKept = (account: Account, deps: AccountPortalDeps) =>
  Promise.all([loadReading(account, deps), loadSessionTokens(deps.secrets, secretName(account))]);

/** The answers of sign-ins that this program has made, by the one-time names under which its pages take them over. */
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
  // On the server the session ends by its expiry, where nobody can be told.
  await net.fetch(address + logout.path.slice(1), call).catch(() => undefined);
}
