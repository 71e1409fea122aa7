/** An account that is open: what its windows are answered, and its session. */
import { randomBytes } from 'node:crypto';
import { logout } from '#shared/contract/auth.ts';
import type { PageSettings } from '#shared/contract/settings.ts';
import type { SsoTokenResponse } from '#shared/contract/sso.ts';
import type { Account } from './accounts.ts';
import { beginBrowserSignIn, type BrowserSignIn } from './browser-sign-in.ts';
import { greetServer } from './handshake.ts';
import type { Clock, Net, Secrets, Shell } from './ports.ts';
import { createPortalProtocol } from './portal-protocol.ts';
import { createServerCalls } from './server-calls.ts';
import { loadSessionTokens } from './session-tokens.ts';

export interface PageFolders {
  renderer: string;
  servers: string;
}

export interface AccountPortal {
  account: Account;
  title(): string;
  /** Answers requests of the account's windows. */
  handle(request: Request): Promise<Response>;
  /** Of the session; null while nobody is signed in. */
  token(): string | null;
  /** Asks the server once more what it is. Throws a ServerProblem. */
  greet(): Promise<void>;
  /** Why the session is forgotten when the program ends; '' where it is kept. */
  keychainProblem(): string;
  beginSignIn(): Promise<BrowserSignIn>;
  /** Keeps the session that a sign-in came back with; answers the one-time name by which a page takes it over. */
  admit(answer: SsoTokenResponse): Promise<string>;
  /** Ends the session on the server, as far as it can be reached, and forgets it here. */
  signOut(): Promise<void>;
}

export interface AccountPortalDeps {
  net: Net;
  secrets: Secrets;
  shell: Shell;
  clock: Clock;
  folders: PageFolders;
  onSignIn: (userName: string) => void;
}

const SIGN_OUT_MS = 3000;

/** Of the account's item in the keychain. */
export const secretName = ({ address, id }: Account): string => `${address}|${id}`;

/** Throws a ServerProblem where no portal that fits answers. */
export async function openAccountPortal(account: Account, deps: AccountPortalDeps): Promise<AccountPortal> {
  const { net, shell, clock, folders } = deps;
  const { address } = account;
  const [first, tokens] = await Promise.all([
    greetServer(net, address),
    loadSessionTokens(deps.secrets, secretName(account)),
  ]);
  let greeting = first;
  const admitted = new Map<string, object>();
  const settings = (): PageSettings => greeting.settings;
  const takeSignIn = (ott: string): object | null => {
    const answer = admitted.get(ott) ?? null;
    admitted.delete(ott);
    return answer;
  };
  const calls = createServerCalls({ net, address, tokens, onSignIn: deps.onSignIn, takeSignIn });
  const portal = { settings, frameOrigins: () => greeting.frameOrigins, calls };
  return {
    account,
    title: () => greeting.settings.title,
    handle: createPortalProtocol({ rendererFolder: folders.renderer, serversFolder: folders.servers, portal }),
    token: () => tokens.current(),
    greet: async () => void (greeting = await greetServer(net, address)),
    keychainProblem: () => tokens.problem(),
    beginSignIn: () => beginBrowserSignIn({ net, shell, clock, address }),
    admit: async (answer) => {
      const ott = `own-${randomBytes(24).toString('base64url')}`;
      const access_token = await tokens.keep(answer.access_token);
      // The provider's session belongs to the browser: it is renewed there, by signing in once more.
      admitted.set(ott, { ...answer, access_token, ssoProvider: null });
      deps.onSignIn(answer.UserName);
      return ott;
    },
    signOut: async () => {
      const token = tokens.current();
      await tokens.forget();
      if (token === null) return;
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const call = { method: 'POST', headers, body: 'null', signal: AbortSignal.timeout(SIGN_OUT_MS) };
      // On the server the session ends by its expiry, where nobody can be told.
      await net.fetch(address + logout.path.slice(1), call).catch(() => undefined);
    },
  };
}
