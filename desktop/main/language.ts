/** Translates menus and system messages to the language of the pages. As in the pages, the English text is the key. */
import type { Language } from '#shared/contract/auth.ts';

const GERMAN: Readonly<Record<string, string>> = {
  'About Runsheet': 'Über Runsheet',
  'Actual Size': 'Originalgröße',
  'All Runs': 'Alle Läufe',
  Back: 'Zurück',
  Cancel: 'Abbrechen',
  'Check Spelling': 'Rechtschreibung prüfen',
  'Close Window': 'Fenster schließen',
  Copy: 'Kopieren',
  'Copy Link': 'Link kopieren',
  Cut: 'Ausschneiden',
  'Download failed': 'Herunterladen fehlgeschlagen',
  Downloaded: 'Heruntergeladen',
  Edit: 'Bearbeiten',
  Fetch: 'Holen',
  'Fetch dictionaries?': 'Wörterbücher holen?',
  File: 'Datei',
  'Find …': 'Suchen …',
  Forward: 'Vorwärts',
  'Full Screen': 'Vollbild',
  Help: 'Hilfe',
  'It waited for the server and was started.': 'Er wartete auf den Server und wurde gestartet.',
  'Keep Running Without a Window': 'Ohne Fenster weiterlaufen',
  Leave: 'Verlassen',
  Licences: 'Lizenzen',
  'Licensed under Apache-2.0.': 'Lizenziert unter Apache-2.0.',
  'Messages of Runs': 'Meldungen über Läufe',
  'New Window': 'Neues Fenster',
  'News of {count} runs': 'Neues von {count} Läufen',
  'Open Runsheet': 'Runsheet öffnen',
  Options: 'Optionen',
  Paste: 'Einfügen',
  'Print …': 'Drucken …',
  'Problems Only': 'Nur Probleme',
  'Problems, and Runs of More Than a Minute': 'Probleme und Läufe von mehr als einer Minute',
  Quit: 'Beenden',
  Redo: 'Wiederholen',
  Reload: 'Neu laden',
  'Select All': 'Alles auswählen',
  'Servers …': 'Server …',
  'Show Last Download': 'Letzte heruntergeladene Datei zeigen',
  'Signed out': 'Abgemeldet',
  'Start at Login': 'Bei der Anmeldung starten',
  'Starts that waited cannot be read': 'Wartende Starts sind nicht mehr lesbar',
  Stay: 'Bleiben',
  'The keychain of the system has lost the key of what waited here ({count}). Please look in the history whether it was started, and start it anew where not.':
    'Der Schlüsselbund des Systems hat den Schlüssel dessen verloren, was hier wartete ({count}). Bitte sehen Sie im Verlauf nach, ob es gestartet wurde, und starten Sie es sonst neu.',
  'The run was successful': 'Der Lauf war erfolgreich',
  'To check your spelling, the dictionaries of your languages are fetched once from redirector.gvt1.com, a server of Google. What you write stays on this computer.':
    'Für die Rechtschreibprüfung werden die Wörterbücher Ihrer Sprachen einmal von redirector.gvt1.com geholt, einem Server von Google. Was Sie schreiben, bleibt auf diesem Computer.',
  Undo: 'Rückgängig',
  View: 'Ansicht',
  Window: 'Fenster',
  'You will be told of your runs once you have signed in again.':
    'Sie erfahren von Ihren Läufen wieder, sobald Sie sich neu angemeldet haben.',
  'You will have to sign in again when the program was closed.':
    'Nach dem Schließen des Programms müssen Sie sich neu anmelden.',
  'Your session is not kept': 'Ihre Sitzung wird nicht aufbewahrt',
  'Your work is not saved! Are you sure you want to leave?':
    'Ihre Arbeit ist nicht gespeichert! Möchten Sie die Seite wirklich verlassen?',
  'Zoom In': 'Vergrößern',
  'Zoom Out': 'Verkleinern',
  '{name} was not started': '{name} wurde nicht gestartet',
  '{name}: click to show it': '{name}: zum Anzeigen klicken',
};

const TEXTS: Readonly<Record<Language, Readonly<Record<string, string>>>> = { en: {}, de: GERMAN };

let spoken: Language = 'en';

export function speak(language: Language): void {
  spoken = language;
}

/** Returns the first of the system's languages that is supported, ignoring its region. */
export const languageOf = (tags: readonly string[]): Language =>
  tags.map((tag) => tag.split('-')[0]!.toLowerCase()).find((tag): tag is Language => tag === 'en' || tag === 'de') ??
  'en';

export const say = (text: string, values: Readonly<Record<string, string>> = {}): string =>
  (TEXTS[spoken][text] ?? text).replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
