/**
 * The logic of the program: opens accounts in windows and handles the messages of their pages. It accesses windows only
 * through their port.
 */
import type { Handlers, ServerAnswer } from '#bridge/messages.ts';
import type { Language } from '#shared/contract/auth.ts';
import { ownPath } from '#shared/rules/own-path.ts';
import {
  countWaiting,
  forgetAccount,
  sessionNotStoredText,
  openAccountPortal,
  type AccountPortal,
  type PageFolders,
} from './account-portal.ts';
import { notifierOf, publishToPages } from './account-notifier.ts';
import type { Account, Accounts } from './accounts.ts';
import type { BrowserSignIn } from './browser-sign-in.ts';
import type { DraggedFiles } from './dragged-files.ts';
import { createSessionHandoffs, type SessionHandoffs } from './session-handoffs.ts';
import { greetServer, ServerProblem } from './handshake.ts';
import { uploadHandlers } from './page-uploads.ts';
import { isAllowed, NO_POLICY, NOT_ALLOWED, type Policy } from './policy.ts';
import type { Blobs, Clock, Files, Log, Notifier, StreamingNet, Power, Secrets, Shell } from './ports.ts';
import { APP_ORIGIN, SERVERS_ORIGIN } from './portal-protocol.ts';
import type { RunMessagesWanted } from './preferences.ts';
import { watchRunNotifications, type RunNotifications } from './run-notifications.ts';
import { say } from './language.ts';
import {
  outboxNotification,
  unreadableNotification,
  outboxHandlers,
  type OutboxNotification,
} from './outbox-messages.ts';
import { readServerAddress } from './server-address.ts';
import { signInElsewhere } from './sign-in-elsewhere.ts';
import type { ClientWindow, Windows } from './client-windows.ts';

export interface ClientDeps {
  accounts: Accounts;
  windows: Windows;
  /** Returns the network access of the account's windows; null for calls that belong to no account. */
  netOf: (account: Account | null) => StreamingNet;
  /** Deletes all data stored by windows of the account. */
  erase(account: Account): Promise<void>;
  /** Writes that data to disk immediately. */
  flush: (account: Account) => void;
  secrets: Secrets;
  shell: Shell;
  notifier: Notifier;
  files: Files;
  /** Returns a folder of files by name. */
  blobs: (folder: string) => Blobs;
  draggedFiles: DraggedFiles;
  clock: Clock;
  power: Power;
  log: Log;
  folders: PageFolders;
  /** The administrator's policy; no restrictions if absent. */
  policy?: Policy;
  /** Returns for which runs the user wants notifications. */
  runMessages?: () => RunMessagesWanted;
  /** Called with the language of each page when it starts. */
  onLanguage?: (language: Language) => unknown;
}

export interface Client {
  handlers: Handlers<ClientWindow>;
  /** Session handoffs to other programs of the same user. */
  sessionHandoffs: SessionHandoffs;
  /** Opens the last account at a path of its portal, or the page of servers if there is none. */
  start(path?: string): Promise<void>;
  openServers: (problem?: string) => void;
  /** Opens an additional window of the account. */
  openWindow(portal: AccountPortal, path: string): void;
}

const CHOOSE = `${SERVERS_ORIGIN}/choose`;

interface State {
  opened: Map<string, AccountPortal>;
  signIns: Map<ClientWindow, BrowserSignIn>;
  /** By account id. */
  runNotifications: Map<string, RunNotifications>;
  /** Why the page of servers is shown; '' if the user asked for it. */
  problem: string;
  keychainProblem: string;
}

export function createClient(deps: ClientDeps): Client {
  const { accounts, windows } = deps;
  const state: State = {
    opened: new Map(),
    signIns: new Map(),
    runNotifications: new Map(),
    problem: '',
    keychainProblem: '',
  };
  deps.power.onWake(() => {
    for (const portal of state.opened.values()) portal.connection.poll();
  });
  const openServers = (problem = ''): void => {
    state.problem = problem;
    const there = windows.list().find((window) => window.portal === null);
    if (there) showAt(there, CHOOSE);
    else windows.open(null, CHOOSE);
  };
  const sessionHandoffs = createSessionHandoffs({ ...deps, portalOf: (account) => portalOf(deps, state, account) });
  return {
    handlers: createHandlers(deps, state, sessionHandoffs),
    sessionHandoffs,
    openServers,
    openWindow: (portal, path) => void windows.open(portal, APP_ORIGIN + ownPath(path)),
    start: async (path = '/') => {
      await addServersOfPolicy(deps);
      const last = accounts.last();
      if (!last) return openServers();
      const problem = await openAccount(deps, state, last, ownPath(path));
      if (problem !== '') openServers(problem);
    },
  };
}

function createHandlers(deps: ClientDeps, state: State, handOffs: SessionHandoffs): Handlers<ClientWindow> {
  const { accounts, shell } = deps;
  const { signIns } = state;
  return {
    openExternal: async (_window, url) => done(shell.openExternal(url)),
    signInElsewhere: async (window, path) => done(signInElsewhere(signIns, window, ownPath(path))),
    handOver: async (window, url) => done(handOffs.deliver(window, url)),
    speak: (_window, language) => {
      deps.onLanguage?.(language);
      return null;
    },
    lookForServer: (window) => {
      window.portal?.connection.poll();
      return null;
    },
    ...outboxHandlers(),
    ...uploadHandlers(),
    fetchForDrag: (window, path) => (window.portal ? deps.draggedFiles.fetch(window.portal, path) : null),
    dragFile: (window, id) => {
      const path = deps.draggedFiles.pathOf(id);
      if (path !== null) window.drag(path);
      return null;
    },
    listServers: () => ({
      Servers: accounts.list().map(shown),
      KeychainProblem: state.keychainProblem,
      Problem: state.problem,
    }),
    addServer: (_window, typed) => addServer(deps, state, typed),
    openServer: async (_window, id) => {
      const account = accounts.find(id);
      const Problem = account ? await openAccount(deps, state, account) : say('This server is no longer in the list');
      return { Id: id, Problem };
    },
    countWaiting: async (_window, id) => {
      const account = accounts.find(id);
      return account ? countWaiting(account, deps) : 0;
    },
    removeServer: (_window, id) => done(removeServer(deps, state, id)),
    signInWaiting: (window) => {
      const { portal } = window;
      return portal && signIns.has(window) ? { Address: portal.account.address, Title: portal.title() } : null;
    },
    openBrowserAgain: (window) => done(signIns.get(window)?.openBrowser()),
    findInPage: (window, text, isForward) => window.finder?.find(text, isForward) ?? { Count: 0, Active: 0 },
    closeFind: (window) => {
      window.finder?.close();
      return null;
    },
    cancelSignIn: (window) => {
      signIns.get(window)?.cancel();
      return null;
    },
  };
}

async function portalOf(deps: ClientDeps, state: State, account: Account): Promise<AccountPortal> {
  const known = state.opened.get(account.id);
  if (known) {
    await known.greet();
    return known;
  }
  const onSignIn = (userName: string): void => {
    state.runNotifications.get(account.id)?.wake();
    const saving = deps.accounts.change(account.id, { userName });
    saving.catch((error: unknown) => deps.log('the name of an account could not be kept', error));
  };
  const notifier = notifierOf(deps, account.id);
  const notifyUser = ({ title, body, path }: OutboxNotification): void =>
    notifier.show({ title, body, path, onClick: () => showPortal(deps.windows, portal, path) });
  const portal = await openAccountPortal(account, {
    ...deps,
    net: deps.netOf(account),
    onSessionChanged: (problem, userName) => {
      notifyKeychainProblem(notifier, state, problem);
      publishToPages(deps.windows, account.id, 'connection', portal.connectionInfo());
      if (userName !== null) onSignIn(userName);
    },
    onOutbox: (entries) => publishToPages(deps.windows, account.id, 'outbox', entries),
    onOutboxNotification: (entry) => notifyUser(outboxNotification(entry)),
    onUnreadable: (count) => notifyUser(unreadableNotification(count)),
  });
  state.opened.set(account.id, portal);
  // Sends starts that have waited since the last session, in case the server was reachable all along.
  void portal.outbox.work();
  portal.connection.onChange((found) => {
    publishToPages(deps.windows, account.id, 'connection', portal.connectionInfo());
    if (found === 'online') state.runNotifications.get(account.id)?.wake();
  });
  state.runNotifications.set(account.id, startRunNotifications({ ...deps, notifier }, portal));
  state.keychainProblem = portal.keychainProblem();
  return portal;
}

/**
 * Notifies once per problem, even if the keychain becomes locked during the session. Otherwise users who sign in after
 * that would be surprised at the next start.
 */
function notifyKeychainProblem(notifier: Notifier, state: State, problem: string): void {
  const isNew = problem !== '' && problem !== state.keychainProblem;
  state.keychainProblem = problem;
  const title = say('Your session is not stored');
  if (isNew) notifier.show({ title, body: sessionNotStoredText(problem), onClick: () => undefined });
}

const notificationsFile = ({ id }: Account): string => `news-${id}.json`;

function startRunNotifications(deps: ClientDeps, portal: AccountPortal): RunNotifications {
  const { windows } = deps;
  const { account } = portal;
  return watchRunNotifications({
    ...deps,
    net: deps.netOf(account),
    address: account.address,
    file: notificationsFile(account),
    token: () => portal.token(),
    onRefused: (token, serverNow) => portal.refused(token, serverNow),
    onContact: (token) => portal.reached(token),
    isInView: (path) => windows.list().some((one) => one.portal === portal && one.isShowing(path)),
    open: (path) => showPortal(windows, portal, path),
  });
}

/** Uses an existing window of the account; a page with unsaved work asks before it is left. */
function showPortal(windows: Windows, portal: AccountPortal, path: string): void {
  const there = windows.list().find((window) => window.portal?.account.id === portal.account.id);
  if (there && path === '/') there.focus();
  else if (there) showAt(there, APP_ORIGIN + path);
  else windows.open(portal, APP_ORIGIN + path);
}

/** Returns why the account cannot be opened, as text for the user; '' if it was opened. */
async function openAccount(deps: ClientDeps, state: State, account: Account, path = '/'): Promise<string> {
  const { windows } = deps;
  if (!isAllowed(deps.policy ?? NO_POLICY, account.address)) return say(NOT_ALLOWED);
  try {
    const portal = await portalOf(deps, state, account);
    showPortal(windows, portal, path);
    for (const window of windows.list()) if (window.portal === null) window.close();
    await noteOpened(deps, account, portal.title());
    return '';
  } catch (error) {
    if (error instanceof ServerProblem) return error.message;
    throw error;
  }
}

/** A failed write, for example on a full disk, must not prevent opening the account. */
async function noteOpened({ accounts, log }: ClientDeps, { id, title }: Account, newTitle: string): Promise<void> {
  try {
    if (newTitle !== title) await accounts.change(id, { title: newTitle });
    await accounts.opened(id);
  } catch (error) {
    log('which account was opened could not be kept', error);
  }
}

const done = async (work: unknown): Promise<null> => {
  await work;
  return null;
};

const shown = ({ id, address, title, userName }: Account) => ({
  Id: id,
  Address: address,
  Title: title,
  UserName: userName,
});

function showAt(window: ClientWindow, url: string): void {
  window.load(url);
  window.focus();
}

/** The administrator has listed these servers; their titles are known after the first connection. */
async function addServersOfPolicy({ accounts, policy = NO_POLICY }: ClientDeps): Promise<void> {
  const known = new Set(accounts.list().map(({ address }) => address));
  for (const address of policy.servers) if (!known.has(address)) await accounts.add(address, new URL(address).host);
}

/** An address is stored only if a portal responds there. */
async function addServer(deps: ClientDeps, state: State, typed: string): Promise<ServerAnswer> {
  try {
    const address = readServerAddress(typed);
    if (!isAllowed(deps.policy ?? NO_POLICY, address)) return { Id: null, Problem: say(NOT_ALLOWED) };
    const { settings } = await greetServer(deps.netOf(null), address);
    const account = await deps.accounts.add(address, settings.title);
    return { Id: account.id, Problem: await openAccount(deps, state, account) };
  } catch (error) {
    return { Id: null, Problem: (error as Error).message };
  }
}

const ignore = (): void => undefined;

async function removeServer(deps: ClientDeps, { opened, runNotifications }: State, id: string): Promise<void> {
  const account = deps.accounts.find(id);
  if (!account) return;
  for (const window of deps.windows.list()) if (window.portal?.account.id === id) window.close();
  runNotifications.get(id)?.stop();
  runNotifications.delete(id);
  const how = {
    ...deps,
    net: deps.netOf(account),
    onSessionChanged: ignore,
    onOutbox: ignore,
    onOutboxNotification: ignore,
    onUnreadable: ignore,
  };
  const portal = opened.get(id) ?? (await openAccountPortal(account, how).catch(() => null));
  if (portal) await portal.signOut();
  portal?.stop();
  await forgetAccount(account, deps);
  opened.delete(id);
  await deps.accounts.remove(id);
  await deps.files.remove(notificationsFile(account));
  await deps.erase(account);
}
