import { create } from 'zustand';
import {
  logout,
  renewToken,
  token as tokenEndpoint,
  type SignInProof,
  type TokenResponse,
} from '#shared/contract/auth.ts';
import type { Endpoint } from '#shared/contract/endpoint.ts';
import { refreshSso } from '#shared/contract/sso.ts';
import { SERVER_TIME_HEADER } from '#shared/contract/headers.ts';
import { bridge } from '#renderer/api/bridge.ts';
import { beforeReload, leaveWithoutAsking } from '#renderer/ui/leaving.ts';
import { call, connectSession } from '#renderer/api/client.ts';
import { pathBelowBase } from './remembered-path.ts';
import { logoutAddress, renewAtProvider, SSO_RETRY, ssoPartOf, ssoRenewalTime, type SsoPart } from './sso-session.ts';

/** A user's session, shared by all windows. Times are in milliseconds since 1970, by the server's clock. */
export interface Session extends SsoPart {
  userName: string;
  token: string;
  issued: number;
  expiry: number;
  /** Milliseconds of inactivity after which the client signs out; 0 for never. */
  inactivityTimeout: number;
}

/** Its promise is awaited only briefly: the page is left in any case. */
export type EndListener = (end: SessionEnd) => Promise<void> | void;

/** 'reload' does not end the session, but unsaved work must be stored in the same way. */
export type SessionEnd = 'logout' | 'inactive' | 'expired' | 'reload';

interface SessionState {
  session: Session | null;
  /** True if the provider's session ends soon and only the user can renew it. */
  asksPerson: boolean;
}

const SESSION_KEY = 'session';
const ACTIVITY_KEY = 'activity';
const RENEW_BEFORE = 60_000;
const TICK = 1000;
const RENEWAL_RETRY = 5000;
const DRAFT_SAVE_TIMEOUT_MS = 1000;
/** Milliseconds without a click, key press or call after which periodic calls no longer count as activity. */
const UNATTENDED_AFTER = 30_000;

/** Server clock minus local clock, from the x-server-time header of responses. */
let clockOffset = 0;
let lastActivityWritten = 0;
let nextRenewal = 0;
let nextSsoRenewal = 0;
/** True if the page is about to reload: nothing may end or renew the session any more. */
let isEnding = false;
/** True if the user has asked to sign out. The server may end the session before its response arrives. */
let isSigningOut = false;
const beforeEnd = new Set<EndListener>();

/** Milliseconds since 1970 by the server's clock, as far as known from its responses. */
export const serverNow = (): number => Date.now() + clockOffset;

export const useSession = create<SessionState>(() => ({ session: readStored(), asksPerson: false }));

const isDue = (session: Session | null): boolean => session !== null && serverNow() >= ssoRenewalTime(session);

function readStored(): Session | null {
  const text = bridge.shared.get(SESSION_KEY);
  if (text === null) return null;
  try {
    const session = JSON.parse(text) as Session;
    if (bridge.connection.isReadable()) return session;
    return session.expiry > Date.now() && !isInactive(session) ? session : null;
  } catch {
    return null;
  }
}

function storeSession(session: Session | null): void {
  bridge.shared.set(SESSION_KEY, session && JSON.stringify(session));
  useSession.setState({ session, ...(isDue(session) ? {} : { asksPerson: false }) });
}

/** Starts a session with the result of POST /token. */
export function beginSession(userName: string, answer: TokenResponse): void {
  const expiry = Date.parse(answer.expiry);
  lastActivityWritten = 0;
  recordActivity();
  storeSession({
    userName,
    token: answer.access_token,
    issued: serverNow(),
    expiry,
    inactivityTimeout: answer.inactivityTimeout * 1000,
    ...ssoPartOf(answer, serverNow()),
  });
}

/**
 * Signs out on the user's request. The server is notified, but only waited for briefly. With `everywhere`, all sessions
 * end, including that of a SAML2 provider. OpenID Connect sessions end in any case if the configuration says so.
 */
export async function signOut({ everywhere = false } = {}): Promise<void> {
  isSigningOut = true;
  const provider = useSession.getState().session?.ssoProvider ?? null;
  const leaves = provider !== null && (everywhere || provider.startsWith('oidc:'));
  const address = leaves ? await logoutAddress(provider) : null;
  try {
    await call(logout, { body: everywhere ? { Everywhere: true } : null, signal: AbortSignal.timeout(3000) });
  } catch {
    // The session ends here in any case; on the server, it ends when it expires.
  }
  endSession('logout', address);
}

/** Ends all sessions of the user. Rejects, without changing anything, if the server refuses the proof. */
export async function signOutByProof(proof: SignInProof): Promise<void> {
  const provider = useSession.getState().session?.ssoProvider ?? null;
  const address = provider === null ? null : await logoutAddress(provider);
  isSigningOut = true;
  try {
    await call(logout, { body: { Everywhere: true, ...proof } });
  } catch (error) {
    isSigningOut = false;
    throw error;
  }
  endSession('logout', address);
}

/**
 * Registers a listener that can store unsaved work when the session ends automatically; returns a function that
 * unsubscribes.
 */
export function onSessionEnd(listener: EndListener): () => void {
  beforeEnd.add(listener);
  return () => void beforeEnd.delete(listener);
}

/**
 * Forgets the session after a password reset through a link, because the server has ended the user's sessions. If the
 * next call discovered this instead, the page would reload and its message would be lost.
 */
export function forgetSessionOf(userName: string): void {
  const { session } = useSession.getState();
  if (session?.userName.toLowerCase() === userName.trim().toLowerCase()) storeSession(null);
}

/** Forgets the session and reloads the page, as required by the specification of security, section 4. */
export function endSession(end: SessionEnd, address: string | null = null): void {
  if (isEnding || useSession.getState().session === null) return;
  // A call that is refused during a sign-out must not turn it into an automatic end, which would store work and place.
  if (isSigningOut && end !== 'logout') return;
  isEnding = true;
  const saving = saveDrafts(end);
  bridge.shared.set(SESSION_KEY, null);
  if (saving) void saving.then(() => leave(end, address));
  else leave(end, address);
}

/** Returns null if there is nothing to wait for. */
function saveDrafts(end: SessionEnd): Promise<unknown> | null {
  const work = [...beforeEnd].map((listener) => listener(end)).filter((answer) => answer !== undefined);
  if (work.length === 0) return null;
  const late = new Promise((resolve) => setTimeout(resolve, DRAFT_SAVE_TIMEOUT_MS));
  return Promise.race([Promise.allSettled(work), late]);
}

function leave(end: SessionEnd, address: string | null): void {
  if (end === 'logout') {
    if (address === null) bridge.restartAt('?sso=0');
    else bridge.leaveFor(address);
    return;
  }
  leaveWithoutAsking();
  const [path = '', search] = pathBelowBase()
    .slice(1)
    .split(/\?(.*)/s);
  const query = new URLSearchParams(search);
  query.set('sso', '0');
  bridge.restartAt(`${path}?${query.toString()}`);
}

/** Records user activity: clicks, uploads, successful calls. Written at most once per second, for all windows. */
export function recordActivity(): void {
  const time = Date.now();
  if (time - lastActivityWritten < 1000) return;
  lastActivityWritten = time;
  bridge.shared.set(ACTIVITY_KEY, String(time));
}

// A function declaration, because stored values are read before this line executes.
function lastActivity(): number {
  return Number(bridge.shared.get(ACTIVITY_KEY) ?? 0);
}

function isInactive({ inactivityTimeout }: Session): boolean {
  return inactivityTimeout > 0 && Date.now() - lastActivity() > inactivityTimeout;
}

/** Starts renewal, inactivity checks and synchronization with other windows. Called once at start. */
export function watchSession(): void {
  connectSession({
    token: () => useSession.getState().session?.token ?? null,
    onUnauthorized,
    onAnswer,
    isUnattended: () => Date.now() - lastActivity() > UNATTENDED_AFTER,
  });
  bridge.onSharedChange((key) => {
    if (key === SESSION_KEY) adoptStored();
  });
  beforeReload(() => saveDrafts('reload'));
  window.setInterval(() => void tick(), TICK);
}

function onAnswer(endpoint: Endpoint, headers: Headers, polled: boolean): void {
  const serverTime = Date.parse(headers.get(SERVER_TIME_HEADER) ?? '');
  if (!Number.isNaN(serverTime)) clockOffset = serverTime - Date.now();
  // Calls that the client makes automatically are not activity; otherwise no session would ever be inactive.
  const isOwnDoing = polled || endpoint === renewToken || endpoint === refreshSso || endpoint === tokenEndpoint;
  if (!isOwnDoing) recordActivity();
}

async function tick(): Promise<void> {
  const { session } = useSession.getState();
  if (!session || isEnding || bridge.connection.isReadable()) return;
  if (isInactive(session)) {
    endSession('inactive');
  } else if (serverNow() >= Math.min(session.expiry, session.ssoExpiry ?? Infinity)) {
    endSession('expired');
  } else if (serverNow() >= renewalTime(session) && serverNow() >= nextRenewal) {
    nextRenewal = serverNow() + RENEWAL_RETRY;
    await bridge.exclusively('renewal', renew);
  } else if (serverNow() >= ssoRenewalTime(session) && serverNow() >= nextSsoRenewal) {
    nextSsoRenewal = serverNow() + SSO_RETRY;
    await bridge.exclusively('renewal', renewSso);
  }
}

/** One minute before the expiry; tokens that live less than two minutes are renewed halfway. */
const renewalTime = ({ issued, expiry }: Session): number =>
  expiry - Math.min(RENEW_BEFORE, Math.max(0, (expiry - issued) / 2));

async function renew(): Promise<void> {
  adoptStored();
  const { session } = useSession.getState();
  if (!session || serverNow() < renewalTime(session)) return;
  try {
    const answer = await call(renewToken);
    const ssoExpiry = answer.ssoExpiry === null ? null : Date.parse(answer.ssoExpiry);
    storeSession({
      ...session,
      token: answer.access_token,
      issued: serverNow(),
      expiry: Date.parse(answer.expiry),
      ssoExpiry,
    });
  } catch {
    // A refusal has already ended the session (onUnauthorized); other failures are retried until the token expires.
  }
}

async function renewSso(): Promise<void> {
  adoptStored();
  const { session } = useSession.getState();
  if (!session?.ssoProvider || serverNow() < ssoRenewalTime(session)) return;
  try {
    const ssoExpiry = await renewAtProvider(session.ssoProvider);
    if (ssoExpiry === null) useSession.setState({ asksPerson: true });
    else storeSsoExpiry(ssoExpiry);
  } catch {
    // Retried in 30 seconds, until the provider's session has expired.
  }
}

function storeSsoExpiry(ssoExpiry: number): void {
  const latest = useSession.getState().session;
  if (latest) storeSession({ ...latest, ssoIssued: serverNow(), ssoExpiry });
}

/**
 * Renews the provider's session with the user's new sign-in there; rejects if it is refused. @param ott see
 * sign-in-again.ts
 */
export async function renewByPerson(ssoProvider: string, ott: string): Promise<void> {
  const ssoExpiry = await renewAtProvider(ssoProvider, ott);
  if (ssoExpiry !== null) storeSsoExpiry(ssoExpiry);
}

/** Adopts changes stored by another window: a renewed token, another user, a sign-out. */
function adoptStored(): void {
  const { session } = useSession.getState();
  const stored = readStored();
  if (!session || (stored?.token === session.token && stored.ssoExpiry === session.ssoExpiry)) return;
  if (!stored || stored.userName !== session.userName) endForOtherWindow(stored);
  else useSession.setState({ session: stored, ...(isDue(stored) ? {} : { asksPerson: false }) });
}

function endForOtherWindow(stored: Session | null): void {
  if (isEnding) return;
  isEnding = true;
  const restart = (): void => bridge.restartAt(stored ? '' : '?sso=0');
  const saving = saveDrafts('expired');
  if (saving) void saving.then(restart);
  else restart();
}

async function onUnauthorized(tokenUsed: string | null): Promise<boolean> {
  if (tokenUsed === null || isEnding) return false;
  adoptStored();
  const current = useSession.getState().session;
  if (current && current.token !== tokenUsed) return true;
  endSession('expired');
  return false;
}
