/** Chromium's spell checker, with the same settings in all sessions. */
import { app, dialog, type Session } from 'electron';
import { say } from './language.ts';
import { dictionariesFor, NO_SPELLING, type Spelling } from './spelling.ts';

export interface SpellChecker {
  apply(spelling: Spelling): void;
}

/** Must be created before the first session: a new session fetches its dictionary immediately unless told otherwise. */
export function createSpellChecker(): SpellChecker {
  const sessions = new Set<Session>();
  let current = NO_SPELLING;
  const set = (used: Session): void => {
    const { isOn, dictionaries } = current;
    used.setSpellCheckerEnabled(isOn);
    if (process.platform === 'darwin') return;
    if (dictionaries !== null) used.setSpellCheckerDictionaryDownloadURL(dictionaries);
    const wanted = isOn ? dictionariesFor(app.getPreferredSystemLanguages(), used.availableSpellCheckerLanguages) : [];
    used.setSpellCheckerLanguages(wanted);
  };
  app.on('session-created', (used) => {
    sessions.add(used);
    set(used);
  });
  return {
    apply: (spelling) => {
      current = spelling;
      sessions.forEach(set);
    },
  };
}

/** Asks the user whether the spell checker may contact a third-party server. */
export async function agreesToFetch(): Promise<boolean> {
  const { response } = await dialog.showMessageBox({
    type: 'question',
    message: say('Download dictionaries?'),
    detail: say(
      'To check your spelling, the dictionaries of your languages are downloaded once from redirector.gvt1.com, a server of Google. What you write stays on this computer.',
    ),
    buttons: [say('Cancel'), say('Download')],
    defaultId: 0,
    cancelId: 0,
  });
  return response === 1;
}
