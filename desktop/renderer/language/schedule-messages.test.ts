/** What the server says about the occurrences of schedules, each variant as a whole in German. */
import { expect, it } from 'vitest';
import { INACTIVE_TEXT, lateText, missedText, pendingText } from '#server/automation/schedules/slot-messages.ts';
import messages from '#shared/messages/de/messages.json' with { type: 'json' };
import moreMessages from '#shared/messages/de/more-messages.json' with { type: 'json' };
import rest from './de/rest.json' with { type: 'json' };
import start from './de/start.json' with { type: 'json' };
import { createSaying } from '#shared/messages/translate-message.ts';

const inGerman = createSaying({ ...start, ...rest }, { ...messages, ...moreMessages });
const DUE = '20/Nov/2026 18:00 (Europe/Berlin)';

it.each([
  [lateText(DUE, 'NoServer'), `Startet verspätet: Er war am ${DUE} fällig, als kein Server lief`],
  [
    lateText(DUE, 'NoServer', 3),
    `Startet verspätet: Er war am ${DUE} fällig, als kein Server lief; spätere versäumte Termine, die nicht nachgeholt werden: 3`,
  ],
  [
    lateText(DUE, 'Waited'),
    `Startet verspätet: Er war am ${DUE} fällig und hat auf das Ende des vorigen Laufs gewartet`,
  ],
  [missedText(1), 'Es lief kein Server, um ihn zu starten, oder er wartete auf den vorigen Lauf'],
  [missedText(48), '48 Termine, von denen dies der letzte ist'],
  [pendingText(1209), 'Lauf 1209, den der Zeitplan zuvor gestartet hatte, war noch nicht beendet'],
  [INACTIVE_TEXT, 'Die Aktivität war nicht aktiv'],
  [
    'Skipped: run 1209, which the schedule started before, had not ended',
    'Übersprungen: Lauf 1209, den der Zeitplan zuvor gestartet hatte, war noch nicht beendet',
  ],
  ["Day: '-1bd' is not a valid day", 'Day: „-1bd“ ist kein gültiger Tag'],
  [
    'The schedule does not resume the run: The user that the schedule runs as, Ada Lovelace, is disabled',
    'Der Zeitplan setzt den Lauf nicht fort: Der Benutzer Ada Lovelace, unter dem der Zeitplan läuft, ist deaktiviert',
  ],
  // Several inputs whose values are refused.
  [
    'Amount: Value must be a number; Day: Value must be specified',
    'Amount: Der Wert muss eine Zahl sein; Day: Ein Wert muss angegeben werden',
  ],
  [
    'Amount: Value must be between 1 and 40; Day: Value must be a number',
    'Amount: Der Wert muss zwischen 1 und 40 liegen; Day: Der Wert muss eine Zahl sein',
  ],
])('%s', (english, german) => {
  expect(inGerman(english)).toBe(german);
});
