/** Texts of these pages in the language of the menus. As in the portal's pages, the English text is the key. */
import type { ServersBridge } from '#bridge/messages.ts';

const GERMAN: Readonly<Record<string, string>> = {
  '{active} of {count}': '{active} von {count}',
  '{count} starts wait here for this server, and will be deleted without having been started.':
    '{count} Starts warten hier auf diesen Server. Sie werden gelöscht, ohne gestartet worden zu sein.',
  Add: 'Hinzufügen',
  'Add a server': 'Server hinzufügen',
  Address: 'Adresse',
  Cancel: 'Abbrechen',
  Close: 'Schließen',
  Find: 'Suchen',
  'Find in the page': 'In der Seite suchen',
  Next: 'Weitersuchen',
  'Not found': 'Nicht gefunden',
  'One start waits here for this server, and will be deleted without having been started.':
    'Ein Start wartet hier auf diesen Server. Er wird gelöscht, ohne gestartet worden zu sein.',
  'Open the browser again': 'Browser erneut öffnen',
  'Your browser has opened. Sign in there and choose Continue.':
    'Ihr Browser wurde geöffnet. Melden Sie sich dort an und wählen Sie „Weiter“.',
  Previous: 'Rückwärts suchen',
  Remove: 'Entfernen',
  'Remove {name}': '{name} entfernen',
  'Remove this server?': 'Diesen Server entfernen?',
  Servers: 'Server',
  'Sign in to {title}': 'Anmelden bei {title}',
  'Starts may wait here for this server. They would be deleted without having been started.':
    'Möglicherweise warten hier Starts auf diesen Server. Sie würden gelöscht, ohne gestartet worden zu sein.',
  'Welcome to Runsheet': 'Willkommen bei Runsheet',
  'Where is your portal?': 'Wo ist Ihr Portal?',
  'You will be signed out. Everything that this computer has stored from this server, such as drafts of forms, will be deleted.':
    'Sie werden abgemeldet. Alles, was dieser Computer von diesem Server gespeichert hat, etwa Entwürfe von Formularen, wird gelöscht.',
  'You must sign in again after closing the program.':
    'Nach dem Schließen des Programms müssen Sie sich erneut anmelden.',
};

/** Returns the text in the given language and replaces each name in braces with its value. */
export function textIn(
  language: ServersBridge['language'],
  text: string,
  values: Readonly<Record<string, string>> = {},
): string {
  const translated = language === 'de' ? (GERMAN[text] ?? text) : text;
  return translated.replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}
