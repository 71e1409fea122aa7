/** Initialization of every page of the renderer before the first render. */
import { readAddInRequest } from './app/add-in.ts';
import { redeemStartToken } from './app/ott-login.ts';
import { readSignInAgain } from './app/sign-in-again.ts';
import { useSession, watchSession } from './app/session.ts';
import { watchTheme } from './app/theme.ts';
import { watchDensity } from './ui/density.ts';
import { startLanguage } from './language/language.ts';
import { holdLongTexts } from './ui/long-text.ts';
import '@blueprintjs/core/lib/css/blueprint.css';
import './ui/base.css';

/** Resolves when the texts of the page are loaded. */
export function startPage(): Promise<void> {
  watchTheme();
  watchDensity();
  holdLongTexts();
  watchSession();
  readAddInRequest();
  // The token of a sign-in that only proves the user's identity belongs to the page that waits for it.
  if (!readSignInAgain()) void redeemStartToken();
  return startLanguage(useSession.getState().session !== null);
}
