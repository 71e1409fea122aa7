/** Messages about an uploaded workbook are composed of several texts; each part must be in the user's language. */
import { expect, it } from 'vitest';
import messages from '#shared/messages/de/messages.json' with { type: 'json' };
import moreMessages from '#shared/messages/de/more-messages.json' with { type: 'json' };
import rest from './de/rest.json' with { type: 'json' };
import start from './de/start.json' with { type: 'json' };
import { createSaying } from '#shared/messages/translate-message.ts';

const inGerman = createSaying({ ...start, ...rest }, { ...messages, ...moreMessages });

it.each([
  [
    "The output 'Total' reads Report!B5, a cell of the pivot table 'Sales', whose source (Data!A1:B3) depends on the input 'Amount'. A run doesn't refresh pivot tables, so the result would stay as it was saved.",
    'Das Ergebnis „Total“ liest Report!B5, eine Zelle der PivotTable „Sales“, deren Quelle (Data!A1:B3) von der Eingabe „Amount“ abhängt. Ein Lauf aktualisiert keine PivotTables, deshalb bliebe das Ergebnis, wie es gespeichert ist.',
  ],
  [
    "The step 'Check' depends on formulas that depend on themselves: S!A2, S!B1. It has no value, and every run would fail.",
    'Der Schritt „Check“ hängt von Formeln ab, die von sich selbst abhängen: S!A2, S!B1. Damit ergibt sich kein Wert, und jeder Lauf würde fehlschlagen.',
  ],
  [
    "The columns of the input 'Plan' hold different kinds of values (Text, Date, Number), but it is treated as a matrix whose cells are all of the kind Text. S!A1:C1 could be the headings ('Task', 'Hours'), but the cell S!B1 is empty.",
    "Die Spalten der Eingabe „Plan“ enthalten Werte verschiedener Art (Text, Datum, Zahl), aber sie wird als Matrix behandelt, deren Zellen alle von der Art Text sind. S!A1:C1 könnten die Überschriften sein ('Task', 'Hours'), aber die Zelle S!B1 ist leer.",
  ],
  [
    'Unmerge them. Give each column its own heading, directly above the values. If it really is a single matrix, enter MatrixWithoutHeaders as its RangeType in PortalInputs.',
    'Heben Sie die Verbindung auf. Geben Sie jeder Spalte eine eigene Überschrift, direkt über den Werten. Wenn es doch eine einzige Matrix ist, tragen Sie MatrixWithoutHeaders als RangeType in PortalInputs ein.',
  ],
  [
    "The input 'Lines' contains merged cells that differ from row to row: C6:E6 is not merged in the same way as C4:F4.",
    'Die Eingabe „Lines“ enthält verbundene Zellen, die sich von Zeile zu Zeile unterscheiden: C6:E6 ist nicht so verbunden wie C4:F4.',
  ],
  [
    "The columns of the input 'Plan' hold different kinds of values (Text, Date) and have no headings: they are named by their column letters.",
    'Die Spalten der Eingabe „Plan“ enthalten Werte verschiedener Art (Text, Datum) und haben keine Überschriften: Sie werden nach ihren Spaltenbuchstaben benannt.',
  ],
  [
    "The output 'Sum' is in an Excel table, which has its own headings.",
    'Das Ergebnis „Sum“ liegt in einer Excel-Tabelle, die eigene Überschriften hat.',
  ],
  [
    "The cell S!B1 (MYRATE) keeps its saved value in the workbook, because it calls a function that can't be calculated here. Cells that depend on it may show an error until Excel calculates them.",
    'Die Zelle S!B1 (MYRATE) behält in der Arbeitsmappe ihren gespeicherten Wert, weil sie eine Funktion aufruft, die hier nicht berechnet werden kann. Zellen, die von ihr abhängen, zeigen vielleicht einen Fehler, bis Excel sie berechnet.',
  ],
  [
    "Only 172 of 173 rows fit above cell A180 of sheet 'Plan'",
    'Nur 172 von 173 Zeilen passen über der Zelle A180 des Blatts „Plan“',
  ],
  ["Only 1 of 9 rows fits above table 'Rates'", 'Nur 1 von 9 Zeilen passt über der Tabelle „Rates“'],
  [
    "The input 'Lines' takes at most 2 rows: cell C7 of sheet 'Invoice' is in the way and cannot be moved down, because table 'Codes' is next to its last row.",
    'Die Eingabe „Lines“ nimmt höchstens 2 Zeilen auf, über der Zelle C7 des Blatts „Invoice“. Was darunter steht, kann nicht nach unten rücken: ihre letzte Zeile liegt neben der Tabelle „Codes“.',
  ],
  [
    "Table 'Lines' has no room to grow: cell C7 of sheet 'Invoice' is in the way and cannot be moved down, because it is not clear which cells the name 'Rates' refers to. Move it to another place or sheet.",
    'Die Tabelle „Lines“ kann über der Zelle C7 des Blatts „Invoice“ nicht weiter wachsen. Was darunter steht, kann nicht nach unten rücken: es ist nicht zu erkennen, auf welche Zellen sich der Name „Rates“ bezieht. Verschieben Sie es an eine andere Stelle oder auf ein anderes Blatt.',
  ],
  [
    'Value in column Hours must be specified (rows 3, 5)',
    'In der Spalte Hours muss ein Wert angegeben werden (Zeilen 3, 5)',
  ],
  // reasons in the fidelity report
  ['formula that cannot be read', 'nicht lesbare Formel'],
  ['function MYRATE not supported', 'Funktion MYRATE wird nicht unterstützt'],
  ['external link C:\\rates\\2026.xlsx', 'Verknüpfung mit C:\\rates\\2026.xlsx'],
  [
    'external link rates.xlsx, not saved with the file',
    'Verknüpfung mit rates.xlsx, deren Werte nicht in der Datei gespeichert sind',
  ],
  ['circular reference', 'Zirkelbezug'],
  ['depends on Total costs!B7 that differs', 'hängt von Total costs!B7 ab, deren Wert abweicht'],
  [
    'stale: saved by LibreOffice/7.3, not by Excel (docProps/app.xml)',
    'veraltet: von LibreOffice/7.3 gespeichert, nicht von Excel (docProps/app.xml)',
  ],
  [
    'stale: #NAME? from an Excel version that did not know XLOOKUP, LET',
    'veraltet: #NAME? aus einer Excel-Version, die XLOOKUP, LET nicht kannte',
  ],
  // problems, and how to fix them
  [
    'The workbook cannot be calculated: Formulas depend on themselves: S!A1, S!B2.',
    'Die Arbeitsmappe kann nicht berechnet werden: Formeln hängen von sich selbst ab: S!A1, S!B2.',
  ],
  [
    'The workbook cannot be calculated: The calculation took longer than 120 seconds and was stopped.',
    'Die Arbeitsmappe kann nicht berechnet werden: Die Berechnung dauerte länger als 120 Sekunden und wurde abgebrochen.',
  ],
  [
    'An output depends on MYRATE, which the calculation engine does not support: the output would be wrong.',
    'Ein Ergebnis hängt von MYRATE ab, und der Rechenkern unterstützt diese Funktion nicht: Das Ergebnis wäre falsch.',
  ],
  [
    "The file 'Bob's.xlsx' cannot be read: The workbook is incomplete: its end is missing.",
    "Die Datei „Bob's.xlsx“ ist nicht lesbar: Die Arbeitsmappe ist unvollständig: Ihr Ende fehlt.",
  ],
  [
    "The file 'a.xlsx' cannot be read: The workbook is damaged: the data of the part xl/worksheets/sheet1.xml have been changed.",
    'Die Datei „a.xlsx“ ist nicht lesbar: Die Arbeitsmappe ist beschädigt: die Daten des Teils xl/worksheets/sheet1.xml wurden verändert.',
  ],
  [
    "The file 'rows.xlsx' cannot be read: The workbook is protected by a password. Remove the password in Excel (File, Info, Protect Workbook, Encrypt with Password), save the workbook and upload it again.",
    'Die Datei „rows.xlsx“ ist nicht lesbar: Die Arbeitsmappe ist durch ein Kennwort geschützt. Entfernen Sie das Kennwort in Excel (Datei, Informationen, Arbeitsmappe schützen, Mit Kennwort verschlüsseln), speichern Sie die Arbeitsmappe und laden Sie sie erneut hoch.',
  ],
])('%s', (english, german) => {
  expect(inGerman(english)).toBe(german);
});
