/** What the program does: opens accounts in windows, and answers their pages' messages. Knows windows by their port alone. */
import type { Handlers, ServerAnswer } from '#bridge/messages.ts';
import { ownPath } from '#shared/rules/own-path.ts';
import { openAccountPortal, secretName, type AccountPortal, type PageFolders } from './account-portal.ts';
import type { Account, Accounts } from './accounts.ts';
import { SignInCancelled, type BrowserSignIn } from './browser-sign-in.ts';
import { greetServer, ServerProblem } from './handshake.ts';
import type { Clock, Files, Log, Net, Notifier, Secrets, Shell } from './ports.ts';
import { APP_ORIGIN, SERVERS_ORIGIN } from './portal-protocol.ts';
import { watchRunNews, type RunNews } from './run-news.ts';
import { readServerAddress } from './server-address.ts';

export interface ClientWindow {
  /** The account whose windows this is one of; null for that of servers. */
  portal: AccountPortal | null;
  load(url: string): void;
  focus(): void;
  close(): void;
  /** Whether the person has this page of the portal before them. @param path without what may follow it */
  isShowing(path: string): boolean;
}

export interface Windows {
  list: () => ClientWindow[];
  /** A window of the account, or of none, at an address. */
  open(portal: AccountPortal | null, url: string): ClientWindow;
}

export interface ClientDeps {
  accounts: Accounts;
  windows: Windows;
  /** The network as the account's windows have it; null for what belongs to none. */
  netOf: (account: Account | null) => Net;
  /** Deletes all that windows of the account have kept. */
  erase(account: Account): Promise<void>;
  secrets: Secrets;
  shell: Shell;
  notifier: Notifier;
  files: Files;
  clock: Clock;
  log: Log;
  folders: PageFolders;
}

export interface Client {
  handlers: Handlers<ClientWindow>;
  /** Opens the account that was open last at a path of its portal, or the page of servers where there is none. */
  start(path?: string): Promise<void>;
  openServers: (problem?: string) => void;
  /** One more window of the account. */
  openWindow(portal: AccountPortal, path: string): void;
}

const CHOOSE = `${SERVERS_ORIGIN}/choose`;
const WAITING = `${SERVERS_ORIGIN}/waiting`;

interface State {
  opened: Map<string, AccountPortal>;
  signIns: Map<ClientWindow, BrowserSignIn>;
  /** By account. */
  news: Map<string, RunNews>;
  /** Why the page of servers is shown; '' where somebody asked for it. */
  problem: string;
  keychainProblem: string;
}

export function createClient(deps: ClientDeps): Client {
  const { accounts, windows } = deps;
  const state: State = { opened: new Map(), signIns: new Map(), news: new Map(), problem: '', keychainProblem: '' };
  const openServers = (problem = ''): void => {
    state.problem = problem;
    const there = windows.list().find((window) => window.portal === null);
    if (there) showAt(there, CHOOSE);
    else windows.open(null, CHOOSE);
  };
  return {
    handlers: createHandlers(deps, state),
    openServers,
    openWindow: (portal, path) => void windows.open(portal, APP_ORIGIN + ownPath(path)),
    start: async (path = '/') => {
      const last = accounts.last();
      if (!last) return openServers();
      const problem = await openAccount(deps, state, last, ownPath(path));
      if (problem !== '') openServers(problem);
    },
  };
}

function createHandlers(deps: ClientDeps, state: State): Handlers<ClientWindow> {
  const { accounts, shell, notifier } = deps;
  const { signIns } = state;
  return {
    openExternal: async (_window, url) => done(shell.openExternal(url)),
    signInElsewhere: async (window, path) => done(signInElsewhere(signIns, window, ownPath(path))),
    notify: (window, title, body) => notifier.show({ title, body, onClick: () => window.focus() }),
    listServers: () => ({
      Servers: accounts.list().map(shown),
      KeychainProblem: state.keychainProblem,
      Problem: state.problem,
    }),
    addServer: (_window, typed) => addServer(deps, state, typed),
    openServer: async (_window, id) => {
      const account = accounts.find(id);
      const Problem = account ? await openAccount(deps, state, account) : 'This server is not in the list any more';
      return { Id: id, Problem };
    },
    removeServer: (_window, id) => done(removeServer(deps, state, id)),
    signInWaiting: (window) => {
      const { portal } = window;
      return portal && signIns.has(window) ? { Address: portal.account.address, Title: portal.title() } : null;
    },
    openBrowserAgain: (window) => done(signIns.get(window)?.openBrowser()),
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
    state.news.get(account.id)?.wake();
    const kept = deps.accounts.change(account.id, { userName });
    kept.catch((error: unknown) => deps.log('the name of an account could not be kept', error));
  };
  const portal = await openAccountPortal(account, { ...deps, net: deps.netOf(account), onSignIn });
  state.opened.set(account.id, portal);
  state.news.set(account.id, newsOf(deps, portal));
  state.keychainProblem = portal.keychainProblem();
  return portal;
}

const newsFile = ({ id }: Account): string => `news-${id}.json`;

function newsOf(deps: ClientDeps, portal: AccountPortal): RunNews {
  const { windows } = deps;
  const { account } = portal;
  return watchRunNews({
    ...deps,
    net: deps.netOf(account),
    address: account.address,
    file: newsFile(account),
    token: () => portal.token(),
    isInView: (runId) =>
      windows.list().some((one) => one.portal === portal && one.isShowing(`/activities/runstatus/${runId}`)),
    open: (path) => showPortal(windows, portal, path),
  });
}

/** In the window that there is; a page with unsaved work asks before it is left. */
function showPortal(windows: Windows, portal: AccountPortal, path: string): void {
  const there = windows.list().find((window) => window.portal?.account.id === portal.account.id);
  if (there && path === '/') there.focus();
  else if (there) showAt(there, APP_ORIGIN + path);
  else windows.open(portal, APP_ORIGIN + path);
}

/** Answers why the account cannot be opened now, in words for the person; '' where it was. */
async function openAccount(deps: ClientDeps, state: State, account: Account, path = '/'): Promise<string> {
  const { accounts, windows } = deps;
  try {
    const portal = await portalOf(deps, state, account);
    const title = portal.title();
    if (title !== account.title) await accounts.change(account.id, { title });
    await accounts.opened(account.id);
    showPortal(windows, portal, path);
    for (const window of windows.list()) if (window.portal === null) window.close();
    return '';
  } catch (error) {
    if (error instanceof ServerProblem) return error.message;
    throw error;
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

/** Nothing is kept of an address at which no portal answers. */
async function addServer(deps: ClientDeps, state: State, typed: string): Promise<ServerAnswer> {
  try {
    const address = readServerAddress(typed);
    const { settings } = await greetServer(deps.netOf(null), address);
    const account = await deps.accounts.add(address, settings.title);
    return { Id: account.id, Problem: await openAccount(deps, state, account) };
  } catch (error) {
    return { Id: null, Problem: (error as Error).message };
  }
}

async function removeServer(deps: ClientDeps, { opened, news }: State, id: string): Promise<void> {
  const account = deps.accounts.find(id);
  if (!account) return;
  for (const window of deps.windows.list()) if (window.portal?.account.id === id) window.close();
  news.get(id)?.stop();
  news.delete(id);
  const how = { ...deps, net: deps.netOf(account), onSignIn: () => undefined };
  const portal = opened.get(id) ?? (await openAccountPortal(account, how).catch(() => null));
  if (portal) await portal.signOut();
  else await deps.secrets.remove(secretName(account)).catch(() => undefined);
  opened.delete(id);
  await deps.accounts.remove(id);
  await deps.files.remove(newsFile(account));
  await deps.erase(account);
}

/** The window waits, and goes on at the path once the browser has brought a session. */
async function signInElsewhere(
  signIns: Map<ClientWindow, BrowserSignIn>,
  window: ClientWindow,
  path: string,
): Promise<void> {
  const { portal } = window;
  if (!portal || signIns.has(window)) return;
  const signIn = await portal.beginSignIn();
  signIns.set(window, signIn);
  const goOn = async (): Promise<void> => {
    try {
      const ott = await portal.admit(await signIn.answer);
      signIns.delete(window);
      window.load(withQuery(path, { sso: '1', ott }));
    } catch (error) {
      signIns.delete(window);
      const told: Record<string, string> =
        error instanceof SignInCancelled ? {} : { ssoError: (error as Error).message };
      window.load(withQuery('/login', { sso: '0', ...told }));
    }
    window.focus();
  };
  void goOn();
  window.load(WAITING);
  await signIn.openBrowser();
}

function withQuery(path: string, values: Record<string, string>): string {
  const url = new URL(APP_ORIGIN + path);
  for (const [name, value] of Object.entries(values)) url.searchParams.set(name, value);
  return url.href;
}
