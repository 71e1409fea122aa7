/** Translates menus and system messages to the language of the pages. As in the pages, the English text is the key. */
import type { Language } from '#shared/contract/auth.ts';

const GERMAN: Readonly<Record<string, string>> = {
  '{count} runs succeeded': '{count} Läufe waren erfolgreich',
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
  'Download failed': 'Der Download ist fehlgeschlagen',
  Downloaded: 'Heruntergeladen',
  Edit: 'Bearbeiten',
  Download: 'Herunterladen',
  'Download dictionaries?': 'Wörterbücher herunterladen?',
  File: 'Datei',
  'Find…': 'Suchen …',
  Forward: 'Vorwärts',
  'Full Screen': 'Vollbild',
  Help: 'Hilfe',
  'It could not be stored on this computer: {reason}':
    'Er konnte auf diesem Computer nicht gespeichert werden: {reason}',
  'It waited for the server and was started.': 'Er hat auf den Server gewartet und wurde gestartet.',
  'Keep Running Without a Window': 'Ohne Fenster weiterlaufen',
  Leave: 'Verlassen',
  Licenses: 'Lizenzen',
  'Licensed under Apache-2.0.': 'Lizenziert unter Apache-2.0.',
  'Notifications About Runs': 'Benachrichtigungen über Läufe',
  'New Window': 'Neues Fenster',
  'Updates on {count} runs': 'Neuigkeiten zu {count} Läufen',
  'An encrypted connection to the server could not be established':
    'Es konnte keine verschlüsselte Verbindung zum Server hergestellt werden',
  'No keychain of the system was found': 'Es wurde kein Schlüsselbund des Systems gefunden',
  'No server of this name was found. Please check the address and the connection':
    'Es wurde kein Server dieses Namens gefunden. Bitte prüfen Sie die Adresse und die Verbindung',
  'Nobody signed in with the browser within five minutes': 'Im Browser hat sich fünf Minuten lang niemand angemeldet',
  'Open Runsheet': 'Runsheet öffnen',
  Options: 'Optionen',
  Paste: 'Einfügen',
  'Please enter the address of the portal': 'Bitte geben Sie die Adresse des Portals ein',
  'Print…': 'Drucken …',
  'Problems Only': 'Nur Probleme',
  'Problems, and Runs of More Than a Minute': 'Probleme und Läufe von mehr als einer Minute',
  Quit: 'Beenden',
  Redo: 'Wiederholen',
  Reload: 'Neu laden',
  'Select All': 'Alles auswählen',
  'Servers…': 'Server …',
  'Show Last Download': 'Letzte heruntergeladene Datei anzeigen',
  'Signed out': 'Abgemeldet',
  'Start at Login': 'Bei der Anmeldung starten',
  'Waiting starts cannot be read': 'Wartende Starts sind nicht mehr lesbar',
  Stay: 'Bleiben',
  'The address leads to another one. Please enter the one that it leads to':
    'Die Adresse leitet zu einer anderen weiter. Bitte geben Sie diese ein',
  'The address must begin with https://': 'Die Adresse muss mit https:// beginnen',
  'The address must begin with https://. Without encryption, others could read your data':
    'Die Adresse muss mit https:// beginnen. Ohne Verschlüsselung könnten andere mitlesen',
  'The address must not contain a user name or password':
    'Die Adresse darf weder Benutzernamen noch Kennwort enthalten',
  'The certificate of the server has expired, or the clock of this computer is wrong':
    'Das Zertifikat des Servers ist abgelaufen, oder die Uhr dieses Computers geht falsch',
  'The certificate of the server is for another name':
    'Das Zertifikat des Servers ist für einen anderen Namen ausgestellt',
  'The certificate of the server was revoked': 'Das Zertifikat des Servers wurde widerrufen',
  'This computer does not trust the authority that issued the certificate of the server. If your company issues its own certificates, its root certificate must be installed on this computer':
    'Dieser Computer vertraut der Stelle nicht, die das Zertifikat des Servers ausgestellt hat. Wenn Ihr Unternehmen eigene Zertifikate ausstellt, muss sein Stammzertifikat auf diesem Computer installiert werden',
  'The desktop client has no account at this portal': 'Der Desktop-Client hat kein Konto bei diesem Portal',
  'The file could not be copied to this computer: {reason}':
    'Die Datei konnte nicht auf diesen Computer kopiert werden: {reason}',
  'The keychain of the system did not answer; it may be locked':
    'Der Schlüsselbund des Systems antwortet nicht; vielleicht ist er gesperrt',
  'The system keychain has lost the key of starts that waited here ({count}). Check in the history whether they were started, and start them again if not.':
    'Der Schlüsselbund des Systems hat den Schlüssel der hier wartenden Starts verloren ({count}). Prüfen Sie im Verlauf, ob sie ausgeführt wurden, und starten Sie sie sonst erneut.',
  'The keychain of the system is locked': 'Der Schlüsselbund des Systems ist gesperrt',
  'The system keychain does not store anything': 'Der Schlüsselbund des Systems speichert nichts',
  'The port of this address is not used for web pages': 'Der Port dieser Adresse ist nicht für Webseiten vorgesehen',
  'The proxy of this network blocked the request': 'Der Proxy dieses Netzwerks hat die Anfrage blockiert',
  'The request is not valid': 'Die Anfrage ist ungültig',
  'The run was successful': 'Der Lauf war erfolgreich',
  'The server could not be reached': 'Der Server konnte nicht erreicht werden',
  'The server did not answer in time': 'Der Server hat nicht rechtzeitig geantwortet',
  'The server responds, but there is no portal at this address':
    'Der Server antwortet, aber unter dieser Adresse gibt es kein Portal',
  'The sign-in was cancelled': 'Die Anmeldung wurde abgebrochen',
  'There is no space left for waiting files': 'Für wartende Dateien ist kein Platz mehr',
  'This computer is not connected to a network': 'Dieser Computer ist mit keinem Netzwerk verbunden',
  'This server is no longer in the list': 'Dieser Server steht nicht mehr in der Liste',
  'This start cannot be stored': 'Dieser Start kann nicht gespeichert werden',
  'This window does not belong to an account': 'Dieses Fenster gehört zu keinem Konto',
  'To check your spelling, the dictionaries of your languages are downloaded once from redirector.gvt1.com, a server of Google. What you write stays on this computer.':
    'Für die Rechtschreibprüfung werden die Wörterbücher Ihrer Sprachen einmal von redirector.gvt1.com heruntergeladen, einem Server von Google. Was Sie schreiben, bleibt auf diesem Computer.',
  'Too many starts are already waiting': 'Es warten bereits zu viele Starts',
  Undo: 'Rückgängig',
  'Update required: the portal is newer than this program. Please install the matching version of the program':
    'Aktualisierung erforderlich: Das Portal ist neuer als dieses Programm. Bitte installieren Sie die passende Version des Programms',
  'Update required: the portal is older than this program. Please ask its administrator to update it, or install the matching version of the program':
    'Aktualisierung erforderlich: Das Portal ist älter als dieses Programm. Bitten Sie den Administrator, es zu aktualisieren, oder installieren Sie die passende Version des Programms',
  View: 'Ansicht',
  'The server at {address} is not a Runsheet portal that this program supports':
    'Der Server unter {address} ist kein Runsheet-Portal, das dieses Programm unterstützt',
  Window: 'Fenster',
  'You will be notified of your runs again after you sign in.':
    'Sie werden wieder über Ihre Läufe benachrichtigt, sobald Sie sich angemeldet haben.',
  'You must sign in again after closing the program.':
    'Nach dem Schließen des Programms müssen Sie sich erneut anmelden.',
  'Your administrator does not allow this server': 'Ihr Administrator erlaubt diesen Server nicht',
  'Your session is not stored': 'Ihre Sitzung wird nicht gespeichert',
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

export const spokenLanguage = (): Language => spoken;

/** Returns the first of the system's languages that is supported, ignoring its region. */
export const languageOf = (tags: readonly string[]): Language =>
  tags.map((tag) => tag.split('-')[0]!.toLowerCase()).find((tag): tag is Language => tag === 'en' || tag === 'de') ??
  'en';

export const say = (text: string, values: Readonly<Record<string, string>> = {}): string =>
  (TEXTS[spoken][text] ?? text).replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
