/** German texts of reports, keyed by their English texts. Texts that the screens show too are the same there. */
export const GERMAN_REPORT: Readonly<Record<string, string>> = {
  '{name}, version {version}, run {id}': '{name}, Version {version}, Lauf {id}',
  'Page {page} of {pages}': 'Seite {page} von {pages}',
  'Columns {from} to {to} of {count}': 'Spalten {from} bis {to} von {count}',
  'Run by {name}, ended {time}': 'Ausgeführt von {name}, beendet {time}',
  Outputs: 'Ergebnisse',
  Inputs: 'Eingaben',
  'This run has no outputs.': 'Dieser Lauf hat keine Ergebnisse.',
  'About this run': 'Über diesen Lauf',
  'Run number': 'Laufnummer',
  Version: 'Version',
  'Run by': 'Ausgeführt von',
  Queued: 'Eingereiht',
  Started: 'Gestartet',
  Ended: 'Beendet',
  'Part of': 'Teil von',
  Fidelity: 'Übereinstimmung',
  'PDF created': 'PDF erstellt',
  'Time zone': 'Zeitzone',
  blank: 'leer',
  'no value': 'kein Wert',
  'no file': 'keine Datei',
  'no rows': 'keine Zeilen',
  'the value of the workbook': 'der Wert der Arbeitsmappe',
  'the default of the procedure': 'der Standardwert der Prozedur',
  'text without its formatting': 'Text ohne seine Formatierung',
  'its rows': 'seine Zeilen',
  'Plot of {label} over {axis}': 'Diagramm von {label} über {axis}',
  'The first {shown} of {count} columns': 'Die ersten {shown} von {count} Spalten',
  '1 character cannot be shown in this PDF file. It is replaced by {mark}. The portal and the Excel file show it.':
    '1 Zeichen kann in dieser PDF-Datei nicht dargestellt werden und ist durch {mark} ersetzt. Das Portal und die Excel-Datei zeigen es.',
  '{count} characters cannot be shown in this PDF file. They are replaced by {mark}. The portal and the Excel file show them.':
    '{count} Zeichen können in dieser PDF-Datei nicht dargestellt werden und sind durch {mark} ersetzt. Das Portal und die Excel-Datei zeigen sie.',
  'The run was successful': 'Der Lauf war erfolgreich',
  'The run succeeded with warnings': 'Der Lauf war erfolgreich, mit Warnungen',
  'The run failed': 'Der Lauf ist fehlgeschlagen',
  'The run was cancelled': 'Der Lauf wurde abgebrochen',
  'The run could not complete because of an error in the setup of the activity':
    'Der Lauf konnte wegen eines Fehlers in der Einrichtung der Aktivität nicht abgeschlossen werden',
  'The run could not complete because of a system error':
    'Der Lauf konnte wegen eines Systemfehlers nicht abgeschlossen werden',
  'The run could not complete because of an interruption on the server':
    'Der Lauf konnte wegen einer Unterbrechung auf dem Server nicht abgeschlossen werden',
  'The run was disallowed because of an invalid or expired license':
    'Der Lauf wurde wegen einer ungültigen oder abgelaufenen Lizenz nicht zugelassen',
  'This workbook has no formulas to compare.':
    'Diese Arbeitsmappe enthält keine Formeln, die verglichen werden können.',
  'No formula was compared with the values Excel saved.':
    'Es wurde keine Formel mit den von Excel gespeicherten Werten verglichen.',
  "The only formula matches Excel's saved value":
    'Die einzige Formel stimmt mit dem in Excel gespeicherten Wert überein',
  "All {count} formulas match Excel's saved values":
    'Alle {count} Formeln stimmen mit den in Excel gespeicherten Werten überein',
  '{formulas} of {total} formulas were compared with the values Excel saved. Different values: {different}, of which {feeding} affect outputs.':
    '{formulas} von {total} Formeln wurden mit den von Excel gespeicherten Werten verglichen. Abweichende Werte: {different}, davon {feeding} mit Wirkung auf Ergebnisse.',
};
