/** A window whose user signs in through the system browser. */
import { SignInCancelled, type BrowserSignIn } from './browser-sign-in.ts';
import type { ClientWindow } from './client-windows.ts';
import { APP_ORIGIN, SERVERS_ORIGIN } from './portal-protocol.ts';

const WAITING = `${SERVERS_ORIGIN}/waiting`;

/** Makes the window wait, and continues at the path when the browser has delivered a session. */
export async function signInElsewhere(
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
      const errorQuery: Record<string, string> =
        error instanceof SignInCancelled ? {} : { ssoError: (error as Error).message };
      window.load(withQuery('/login', { sso: '0', ...errorQuery }));
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
