import { createElement, isValidElement, type ReactElement, type ReactNode } from 'react';
import { afterEach, describe, expect, it } from 'vitest';
import { ruleMessage } from '#shared/rules/value-rules.ts';
import messages from '#shared/messages/de/messages.json' with { type: 'json' };
import moreMessages from '#shared/messages/de/more-messages.json' with { type: 'json' };
import rest from './de/rest.json' with { type: 'json' };
import start from './de/start.json' with { type: 'json' };
import { allowedWords } from '#renderer/features/run-form/validation/allowed-words.ts';
import { compareNames, fileSizeText, numberText } from './numbers.ts';
import { createSaying } from '#shared/messages/translate-message.ts';
import { rich, said, speak, t } from './translate.ts';
import { editedNumber, neutralNumber } from './typed-numbers.ts';

const OPERATORS = [
  'between',
  'notBetween',
  'equal',
  'notEqual',
  'greaterThan',
  'lessThan',
  'greaterThanOrEqual',
  'lessThanOrEqual',
] as const;

afterEach(() => speak('en', {}));

const childrenOf = (node: ReactNode): unknown =>
  isValidElement(node) ? (node as ReactElement<{ children: unknown }>).props.children : node;

describe('a text', () => {
  it('is shown as it was written where no catalogue has it', () => {
    speak('de', { Save: 'Speichern' });
    expect([t('Save'), t('Not yet translated')]).toEqual(['Speichern', 'Not yet translated']);
  });

  it('takes values, whatever apostrophes stand around them', () => {
    expect(t("Nothing found for '{wanted}'", { wanted: 'a {b}' })).toBe("Nothing found for 'a {b}'");
  });

  it('has the plural and the digits of its language', () => {
    const rows = '{count, plural, one {# row} other {# rows}}';
    expect([1, 12_345].map((count) => t(rows, { count }))).toEqual(['1 row', '12,345 rows']);
    speak('de', { [rows]: '{count, plural, one {# Zeile} other {# Zeilen}}' });
    expect([1, 12_345].map((count) => t(rows, { count }))).toEqual(['1 Zeile', '12.345 Zeilen']);
  });

  it('keeps its elements where the language puts them', () => {
    speak('de', { 'See <link>all {count}</link>, {time}': '{time}: <link>alle {count}</link> ansehen' });
    const drawn = rich('See <link>all {count}</link>, {time}', {
      link: createElement('a', { href: '/all' }),
      count: 3,
      time: createElement('time'),
    });
    const [time, colon, link, rest] = childrenOf(drawn) as ReactElement<{ href: string; children: unknown }>[];
    expect([time!.type, colon, rest]).toEqual(['time', ': ', ' ansehen']);
    expect(link!.props).toEqual({ href: '/all', children: ['alle ', 3] });
  });
});

describe('a message of the server', () => {
  it('is found by its words around the values, also within another one', () => {
    speak(
      'de',
      {},
      createSaying(
        {},
        {
          'Network error: {detail}': 'Netzwerkfehler: {detail}',
          'Value must be between {low} and {high}': 'Der Wert muss zwischen {low} und {high} liegen',
        },
      ),
    );
    expect(said('Network error: Value must be between 1 and 40')).toBe(
      'Netzwerkfehler: Der Wert muss zwischen 1 und 40 liegen',
    );
    expect(said('Something else')).toBe('Something else');
  });
});

describe('messages in German', () => {
  const texts = { ...start, ...rest };
  const say = createSaying(texts, { ...messages, ...moreMessages });
  const column = { format: 'General', column: 'Amount' };

  it.each(['wholeNumber', 'decimal', 'date', 'textLength'])('leave nothing of a broken rule in English: %s', (type) => {
    speak('de', texts, say);
    const Type = (type === 'wholeNumber' ? 'whole' : type) as 'whole';
    for (const Operator of OPERATORS) {
      for (const context of [column, { ...column, column: null }]) {
        const text = ruleMessage({ Type, Operator, Text: '', Alert: 'Stop' }, 'x', [1, 40], context);
        expect(said(text), text).not.toMatch(/\b(must|not|be|than|characters|least|most|before|after)\b/);
      }
    }
  });

  it('say when a schedule starts, with lists as the language writes them', () => {
    speak('de', texts, say);
    expect(
      said('Weekly on Monday, Tuesday and Friday at 06:30; except on non-working days of Austria (Europe/Vienna)'),
    ).toBe(
      'Wöchentlich am Montag, Dienstag und Freitag um 06:30; außer an arbeitsfreien Tagen von Austria (Europe/Vienna)',
    );
    expect(said('Monthly on the 2nd last business day at 18:00 (UTC)')).toBe(
      'Monatlich am 2. Arbeitstag, vom Monatsende gezählt, um 18:00 (UTC)',
    );
    expect(said("'Rate' uses an output of 'Fetch', which is not an earlier step")).toBe(
      '„Rate“ verwendet ein Ergebnis von „Fetch“, aber „Fetch“ ist kein früherer Schritt',
    );
  });

  it('say what a field allows', () => {
    speak('de', texts, say);
    expect(['1 to 40', 'after 1/Jan/2000', 'at most 20 characters', '7'].map((text) => allowedWords(text))).toEqual([
      '1 bis 40',
      'nach 1/Jan/2000',
      'höchstens 20 Zeichen',
      '7',
    ]);
  });

  it('say what a field allows with numbers as the region writes them', () => {
    const german = { Id: 'de-DE', Decimal: ',', Group: '.', DayOrder: 'dmy' } as const;
    speak('de', texts, say);
    expect(allowedWords('1 to 100.000', german)).toBe('1 bis 100.000');
    expect(allowedWords('1 to 100,000')).toBe('1 bis 100.000');
    expect(allowedWords('0.5 to 1,234,567.5')).toBe('0,5 bis 1.234.567,5');
    expect(allowedWords('at least 7.5%')).toBe('mindestens 7,5%');
    expect(allowedWords('after 1/Jan/2000')).toBe('nach 1/Jan/2000');
    speak('en', {});
    expect(allowedWords('1 to 100,000')).toBe('1 to 100,000');
    expect(allowedWords('1 to 100.000', german)).toBe('1 to 100,000');
    expect(allowedWords('at most 12,125', german)).toBe('at most 12.125');
  });

  it.each([
    ['Value must be a date, such as 31/Jan/2026', 'Der Wert muss ein Datum sein, etwa 31/Jan/2026'],
    [
      'Value in column Day must be a time of day, such as 21:30',
      'Der Wert in der Spalte Day muss eine Uhrzeit sein, etwa 21:30',
    ],
    ['Value must be TRUE or FALSE', 'Der Wert muss WAHR oder FALSCH sein'],
    [
      "The file 'five.csv' cannot be read: the file is empty",
      'Die Datei „five.csv“ ist nicht lesbar: die Datei ist leer',
    ],
    [
      'The sheet has 5001 rows, but a batch can have at most 5000',
      'Das Blatt hat 5001 Zeilen, ein Stapel kann aber höchstens 5000 haben',
    ],
    [
      'The row of rows.xlsx was started; 1 row was skipped because it has invalid cells',
      'Die Zeile von rows.xlsx wurde gestartet; 1 Zeile mit ungültigen Zellen wurde übersprungen',
    ],
    [
      'The inputs of this run no longer exist: this activity retains them for 1 day',
      'Die Eingaben dieses Laufs gibt es nicht mehr: Diese Aktivität bewahrt sie 1 Tag auf',
    ],
    ['Pickers has 2 values for 1 column.', 'Pickers hat 2 Werte für 1 Spalte.'],
    ['5 rows, of which 1 is new', '5 Zeilen, davon 1 neue'],
    [
      'The calculation took longer than 1 second and was stopped',
      'Die Berechnung dauerte länger als 1 Sekunde und wurde abgebrochen',
    ],
    ['An array of 30000000 rows and 1 column is too large', 'Ein Array von 30000000 Zeilen und 1 Spalte ist zu groß'],
    [
      "A query on the connection 'Warehouse' returns more than 1 row",
      'Eine Abfrage auf der Verbindung „Warehouse“ liefert mehr als 1 Zeile',
    ],
    ['5 rows, of which 0 are new', '5 Zeilen, davon 0 neue'],
    ['Value must have at most 1 character', 'Der Wert muss höchstens 1 Zeichen haben'],
    ['The cell holds the error #N/A', 'Die Zelle enthält den Fehler #N/A'],
    ['Preis: Value must be a number', 'Preis: Der Wert muss eine Zahl sein'],
    ['Network error: Preis: Value must be a number', 'Netzwerkfehler: Preis: Der Wert muss eine Zahl sein'],
    [
      'Nothing was imported. C2: Value must be a number. D3: Value must be TRUE or FALSE',
      'Es wurde nichts importiert. C2: Der Wert muss eine Zahl sein. D3: Der Wert muss WAHR oder FALSCH sein',
    ],
    ['row 1, column Anteil', 'Zeile 1, Spalte Anteil'],
    ['Not run: step "Fetch: all" did not succeed', 'Nicht ausgeführt: Der Schritt „Fetch: all“ war nicht erfolgreich'],
    [
      "Output 'Kehrwert' has the error #DIV/0! in cell A1 of sheet 'Preis' (=1/B1) and in 2 more cells. It originates in cell B1 of sheet 'Preis'",
      'Das Ergebnis „Kehrwert“ hat den Fehler #DIV/0! in der Zelle A1 des Blatts „Preis“ (=1/B1) und in 2 weiteren Zellen. Er entsteht in der Zelle B1 des Blatts „Preis“',
    ],
    ["Output 'Kehrwert' has the error #DIV/0!", 'Das Ergebnis „Kehrwert“ hat den Fehler #DIV/0!'],
    ['Approvals are shown only to users who are signed in', 'Freigaben sehen nur angemeldete Benutzer'],
    ['Batch of five.csv', 'Stapel aus five.csv'],
    ['Totals: Failed', 'Totals: Failed'],
  ])('leave no half of a sentence in English: %s', (english, german) => {
    speak('de', texts, say);
    expect(said(english)).toBe(german);
  });

  it('let names be names', () => {
    speak('de', texts, say);
    expect(said('There is no input Failed and late')).toBe('Es gibt keine Eingabe Failed and late');
    expect(said('There is no input Failed')).toBe('Es gibt keine Eingabe Failed');
    expect(said("'Date' cannot be mapped")).toBe('„Date“ kann nicht zugeordnet werden');
    expect(said('Invoices of May and June')).toBe('Invoices of May and June');
  });
});

describe('names and numbers', () => {
  it('follow the language', () => {
    speak('sv', {});
    expect(['Öl', 'Zebra'].toSorted(compareNames)).toEqual(['Zebra', 'Öl']);
    speak('de', {});
    expect(['Zebra', 'Öl', 'file 10', 'File 9'].toSorted(compareNames)).toEqual(['File 9', 'file 10', 'Öl', 'Zebra']);
    expect(numberText(1234.5)).toBe('1.234,5');
    expect(fileSizeText(1536)).toBe('1,5 KB');
    expect(['Zahl', 'Äpfel', 'Apfel', 'apfel 2', 'Straße', 'Strand'].toSorted(compareNames)).toEqual([
      'Apfel',
      'Äpfel',
      'apfel 2',
      'Strand',
      'Straße',
      'Zahl',
    ]);
  });

  it.each([
    // A retention of a thousand days must not become one day.
    ['1.000', '1000'],
    ['1.234,50', '1234.5'],
    ['1,234', '1.234'],
    ['0,5', '0.5'],
    ['1.5', '1.5'],
    // None of these is 1 or 125.
    ['0.001', '0.001'],
    ['0,125', '0.125'],
    ['12,5 %', '0.125'],
    ['soon', 'soon'],
    ['', ''],
  ])('typed into a field of the portal in German: %s', (typed, meant) => {
    speak('de', {});
    expect(neutralNumber(typed)).toBe(meant);
  });

  it('are shown in fields so that they are read again as the same', () => {
    for (const locale of ['en', 'de', 'fr', 'de-CH']) {
      speak(locale, {});
      for (const number of [0, 1.234, 1234, 0.001, 1234567.875, 1e-9, -0.5]) {
        expect(Number(neutralNumber(editedNumber(number))), `${locale} ${number}`).toBe(number);
      }
    }
  });
});
