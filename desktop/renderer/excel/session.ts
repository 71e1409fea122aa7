/** The pane's own session, obtained by session handoff and stored in the pane's storage until it ends. */
import { create } from 'zustand';
import { createClient } from '#shared/client/client.ts';
import { addInToken, type AddInTokenResponse } from '#shared/contract/add-in.ts';
import { logout, renewToken } from '#shared/contract/auth.ts';
import { SERVER_TIME_HEADER } from '#shared/contract/headers.ts';
import { t } from '#renderer/language/translate.ts';

/** Times are in milliseconds since 1970, by the server's clock. */
interface Session {
  userName: string;
  token: string;
  issued: number;
  expiry: number;
  /** Milliseconds of inactivity after which the pane signs out; 0 for never. */
  inactivityTimeout: number;
}

interface PaneState {
  session: Session | null;
  /** Why the session ended; '' for no message. */
  notice: string;
}

const KEY = 'runsheet.excel.session';
const RENEW_BEFORE = 60_000;
const TICK = 1000;
const RENEWAL_RETRY = 5000;

/** Server clock minus local clock. */
let clockOffset = 0;
let lastActivity = Date.now();
let nextRenewal = 0;
let renewal: Promise<void> | null = null;

const now = (): number => Date.now() + clockOffset;

export const usePane = create<PaneState>(() => ({ session: readStored(), notice: '' }));

function readStored(): Session | null {
  try {
    const session = JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as Session | null;
    return session !== null && session.expiry > Date.now() ? session : null;
  } catch {
    return null;
  }
}

function storeSession(session: Session | null, notice = ''): void {
  try {
    if (session === null) sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, JSON.stringify(session));
  } catch {
    // Browsers may refuse storage to framed pages: the session then lasts as long as the pane.
  }
  usePane.setState({ session, notice });
}

/** The portal's address, which contains this page. */
export const portalAddress = new URL('../', document.baseURI).href;

/** Client for calls to the portal as the signed-in user. */
export const client = createClient({ address: portalAddress, token: null, fetch: send });

async function send(address: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  await renewal?.catch(() => undefined);
  const { session } = usePane.getState();
  const response = await fetchAs(session, address, init);
  if (!isRefusal(response) || session === null) return response;
  const current = usePane.getState().session;
  // Another call may have renewed it in the meantime.
  if (current && current.token !== session.token) return fetchAs(current, address, init);
  if (current) storeSession(null, t('Your session has ended. Please sign in again.'));
  return response;
}

/** Returns whether the server no longer accepts the session. A 401 of a proxy says nothing about the session. */
const isRefusal = ({ status, headers }: Response): boolean => status === 401 && headers.has(SERVER_TIME_HEADER);

async function fetchAs(session: Session | null, address: RequestInfo | URL, init: RequestInit): Promise<Response> {
  const headers = new Headers(init.headers);
  if (session) headers.set('authorization', `Bearer ${session.token}`);
  const response = await fetch(address, { ...init, headers });
  const serverTime = Date.parse(response.headers.get(SERVER_TIME_HEADER) ?? '');
  if (!Number.isNaN(serverTime)) clockOffset = serverTime - Date.now();
  return response;
}

/** Starts a session with the code from the sign-in window. Throws CallFailure if the portal refuses it. */
export async function redeem(Code: string, Verifier: string): Promise<void> {
  const answer: AddInTokenResponse = await client.call(addInToken, { body: { Code: Code.trim(), Verifier } });
  recordActivity();
  storeSession({
    userName: answer.UserName,
    token: answer.access_token,
    issued: now(),
    expiry: Date.parse(answer.expiry),
    inactivityTimeout: answer.inactivityTimeout * 1000,
  });
}

export async function signOut(): Promise<void> {
  try {
    await client.call(logout, { body: null, signal: AbortSignal.timeout(3000) });
  } catch {
    // The session ends here in any case; on the server, it ends when it expires.
  }
  storeSession(null);
}

/** Records user activity, or that the user is waiting for a run. */
export function recordActivity(): void {
  lastActivity = Date.now();
}

/** Starts renewal and inactivity checks. Called once at start. */
export function watchSession(): void {
  for (const event of ['pointerdown', 'keydown']) document.addEventListener(event, recordActivity, true);
  window.setInterval(tick, TICK);
}

function tick(): void {
  const { session } = usePane.getState();
  if (!session || renewal) return;
  const { inactivityTimeout, issued, expiry } = session;
  const isInactive = inactivityTimeout > 0 && Date.now() - lastActivity > inactivityTimeout;
  if (isInactive) {
    void signOut().then(() =>
      usePane.setState({ notice: t('You were signed out because you were inactive for a while.') }),
    );
  } else if (now() >= expiry) {
    storeSession(null, t('Your session has ended. Please sign in again.'));
  } else if (now() >= expiry - Math.min(RENEW_BEFORE, (expiry - issued) / 2) && now() >= nextRenewal) {
    nextRenewal = now() + RENEWAL_RETRY;
    renewal = renew(session).finally(() => (renewal = null));
  }
}

async function renew(session: Session): Promise<void> {
  const { path, method } = renewToken;
  try {
    const response = await fetchAs(session, new URL(path.slice(1), portalAddress), { method, cache: 'no-store' });
    if (isRefusal(response)) return storeSession(null, t('Your session has ended. Please sign in again.'));
    if (!response.ok) return;
    const { result } = (await response.json()) as { result: { access_token: string; expiry: string } };
    storeSession({ ...session, token: result.access_token, issued: now(), expiry: Date.parse(result.expiry) });
  } catch {
    // Retried until the token expires.
  }
}
