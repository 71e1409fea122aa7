/**
 * German texts of messages in the logs of runs, for mails and reports. They are the same as on the screens, and the
 * English text is the key.
 */
export const GERMAN_RUN_MESSAGES: Readonly<Record<string, string>> = {
  // Outputs with errors
  "Output '{output}' has the error {error}": 'Das Ergebnis „{output}“ hat den Fehler {error}',
  "Output '{output}' has the error {error} in cell {cell} of sheet '{sheetName}'":
    'Das Ergebnis „{output}“ hat den Fehler {error} in der Zelle {cell} des Blatts „{sheetName}“',
  "Output '{output}' has the error {error} in cell {cell} of sheet '{sheetName}' ({formulaText})":
    'Das Ergebnis „{output}“ hat den Fehler {error} in der Zelle {cell} des Blatts „{sheetName}“ ({formulaText})',
  "Output '{output}' has the error {error} in cell {cell} of sheet '{sheetName}' ({formulaText}) and in 1 more cell":
    'Das Ergebnis „{output}“ hat den Fehler {error} in der Zelle {cell} des Blatts „{sheetName}“ ({formulaText}) und in 1 weiteren Zelle',
  "Output '{output}' has the error {error} in cell {cell} of sheet '{sheetName}' ({formulaText}) and in 1 more cell. It originates in {place}":
    'Das Ergebnis „{output}“ hat den Fehler {error} in der Zelle {cell} des Blatts „{sheetName}“ ({formulaText}) und in 1 weiteren Zelle. Er entsteht in {place}',
  "Output '{output}' has the error {error} in cell {cell} of sheet '{sheetName}' ({formulaText}) and in 1 more cell. It was traced back to {place}":
    'Das Ergebnis „{output}“ hat den Fehler {error} in der Zelle {cell} des Blatts „{sheetName}“ ({formulaText}) und in 1 weiteren Zelle. Er ließ sich bis zu {place} zurückverfolgen',
  "Output '{output}' has the error {error} in cell {cell} of sheet '{sheetName}' ({formulaText}) and in {count} more cells":
    'Das Ergebnis „{output}“ hat den Fehler {error} in der Zelle {cell} des Blatts „{sheetName}“ ({formulaText}) und in {count} weiteren Zellen',
  "Output '{output}' has the error {error} in cell {cell} of sheet '{sheetName}' ({formulaText}) and in {count} more cells. It originates in {place}":
    'Das Ergebnis „{output}“ hat den Fehler {error} in der Zelle {cell} des Blatts „{sheetName}“ ({formulaText}) und in {count} weiteren Zellen. Er entsteht in {place}',
  "Output '{output}' has the error {error} in cell {cell} of sheet '{sheetName}' ({formulaText}) and in {count} more cells. It was traced back to {place}":
    'Das Ergebnis „{output}“ hat den Fehler {error} in der Zelle {cell} des Blatts „{sheetName}“ ({formulaText}) und in {count} weiteren Zellen. Er ließ sich bis zu {place} zurückverfolgen',
  "Output '{output}' has the error {error} in cell {cell} of sheet '{sheetName}' ({formulaText}). It originates in {place}":
    'Das Ergebnis „{output}“ hat den Fehler {error} in der Zelle {cell} des Blatts „{sheetName}“ ({formulaText}). Er entsteht in {place}',
  "Output '{output}' has the error {error} in cell {cell} of sheet '{sheetName}' ({formulaText}). It was traced back to {place}":
    'Das Ergebnis „{output}“ hat den Fehler {error} in der Zelle {cell} des Blatts „{sheetName}“ ({formulaText}). Er ließ sich bis zu {place} zurückverfolgen',
  "Output '{output}' has the error {error} in cell {cell} of sheet '{sheetName}' and in 1 more cell":
    'Das Ergebnis „{output}“ hat den Fehler {error} in der Zelle {cell} des Blatts „{sheetName}“ und in 1 weiteren Zelle',
  "Output '{output}' has the error {error} in cell {cell} of sheet '{sheetName}' and in 1 more cell. It originates in {place}":
    'Das Ergebnis „{output}“ hat den Fehler {error} in der Zelle {cell} des Blatts „{sheetName}“ und in 1 weiteren Zelle. Er entsteht in {place}',
  "Output '{output}' has the error {error} in cell {cell} of sheet '{sheetName}' and in 1 more cell. It was traced back to {place}":
    'Das Ergebnis „{output}“ hat den Fehler {error} in der Zelle {cell} des Blatts „{sheetName}“ und in 1 weiteren Zelle. Er ließ sich bis zu {place} zurückverfolgen',
  "Output '{output}' has the error {error} in cell {cell} of sheet '{sheetName}' and in {count} more cells":
    'Das Ergebnis „{output}“ hat den Fehler {error} in der Zelle {cell} des Blatts „{sheetName}“ und in {count} weiteren Zellen',
  "Output '{output}' has the error {error} in cell {cell} of sheet '{sheetName}' and in {count} more cells. It originates in {place}":
    'Das Ergebnis „{output}“ hat den Fehler {error} in der Zelle {cell} des Blatts „{sheetName}“ und in {count} weiteren Zellen. Er entsteht in {place}',
  "Output '{output}' has the error {error} in cell {cell} of sheet '{sheetName}' and in {count} more cells. It was traced back to {place}":
    'Das Ergebnis „{output}“ hat den Fehler {error} in der Zelle {cell} des Blatts „{sheetName}“ und in {count} weiteren Zellen. Er ließ sich bis zu {place} zurückverfolgen',
  "Output '{output}' has the error {error} in cell {cell} of sheet '{sheetName}'. It originates in {place}":
    'Das Ergebnis „{output}“ hat den Fehler {error} in der Zelle {cell} des Blatts „{sheetName}“. Er entsteht in {place}',
  "Output '{output}' has the error {error} in cell {cell} of sheet '{sheetName}'. It was traced back to {place}":
    'Das Ergebnis „{output}“ hat den Fehler {error} in der Zelle {cell} des Blatts „{sheetName}“. Er ließ sich bis zu {place} zurückverfolgen',
  // Places
  'cell {cell} of a linked workbook': 'der Zelle {cell} einer verknüpften Arbeitsmappe',
  "cell {cell} of sheet '{sheetName}': {formulaText}": 'der Zelle {cell} des Blatts „{sheetName}“: {formulaText}',
  "pivot table '{name}'": 'der PivotTable „{name}“',
  "table '{name}'": 'der Tabelle „{name}“',
  'the array formula {cells}': 'der Matrixformel {cells}',
  "the end of sheet '{sheet}'": 'dem Ende des Blatts „{sheet}“',
  "the input '{name}'": 'der Eingabe „{name}“',
  "the merged cells {cells} of sheet '{sheet}'": 'den verbundenen Zellen {cells} des Blatts „{sheet}“',
  "the step '{step}'": 'dem Schritt „{step}“',
  'the what-if table {cells}': 'der Datentabelle {cells}',
  // Calculations and files
  "'{fileName}' is not a file": '„{fileName}“ ist keine Datei',
  'An array fills too many cells': 'Ein Array füllt zu viele Zellen',
  'Arrays keep changing the cells they depend on': 'Arrays ändern immer wieder die Zellen, von denen sie abhängen',
  'Delete sheets, pictures and empty formatted rows that are not needed, or split the workbook.':
    'Löschen Sie Blätter, Bilder und leere formatierte Zeilen, die nicht gebraucht werden, oder teilen Sie die Arbeitsmappe auf.',
  'Formulas depend on themselves: {value}{more}': 'Formeln hängen von sich selbst ab: {value}{more}',
  "Table '{name}' has no room to grow: {obstacle} is in the way and cannot be moved down, because {reason}. Move it to another place or sheet.":
    'Die Tabelle „{name}“ kann über {obstacle} nicht weiter wachsen. Was darunter steht, kann nicht nach unten rücken: {reason}. Verschieben Sie es an eine andere Stelle oder auf ein anderes Blatt.',
  "Table '{name}' has no room to grow: {what} is in the way. Move it to another place or sheet.":
    'Die Tabelle „{name}“ kann nicht wachsen: Ihr Platz endet vor {what}. Verschieben Sie, was dort steht, an eine andere Stelle oder auf ein anderes Blatt.',
  "Table '{name}' would need more rows than a sheet has.":
    'Die Tabelle „{name}“ bräuchte mehr Zeilen, als ein Blatt hat.',
  'The calculation takes too many steps': 'Die Berechnung braucht zu viele Schritte',
  'The calculation took longer than 1 second and was stopped':
    'Die Berechnung dauerte länger als 1 Sekunde und wurde abgebrochen',
  'The calculation took longer than {seconds} seconds and was stopped':
    'Die Berechnung dauerte länger als {seconds} Sekunden und wurde abgebrochen',
  'The calculation took longer than {timeLimit} ms': 'Die Berechnung dauerte länger als {timeLimit} ms',
  'The file': 'Die Datei',
  "The file '{fileName}' cannot be read": 'Die Datei „{fileName}“ ist nicht lesbar',
  "The file '{fileName}' cannot be read: {fault}": 'Die Datei „{fileName}“ ist nicht lesbar: {fault}',
  "The file '{fileName}' changed while it was read": 'Die Datei „{fileName}“ hat sich beim Lesen geändert',
  "The file '{fileName}' is larger than the allowed {bytes} bytes":
    'Die Datei „{fileName}“ ist größer als die erlaubten {bytes} Bytes',
  "The folder '{folder}' cannot be read": 'Der Ordner „{folder}“ ist nicht lesbar',
  'The part {path}': 'Der Teil {path}',
  'The person who started the run may no longer start other activities':
    'Die Person, die den Lauf gestartet hat, darf keine anderen Aktivitäten mehr starten',
  "The procedure on the connection '{name}' took longer than {seconds} s; changes that it had already committed remain":
    'Die Prozedur auf der Verbindung „{name}“ dauerte länger als {seconds} s; bereits festgeschriebene Änderungen bleiben bestehen',
  "The procedure on the connection '{name}' took longer than {seconds} s; its changes were rolled back":
    'Die Prozedur auf der Verbindung „{name}“ dauerte länger als {seconds} s; ihre Änderungen wurden zurückgenommen',
  "The procedure on the connection '{name}' was cancelled; changes that it had already committed remain":
    'Die Prozedur auf der Verbindung „{name}“ wurde abgebrochen; bereits festgeschriebene Änderungen bleiben bestehen',
  "The procedure on the connection '{name}' was cancelled; its changes were rolled back":
    'Die Prozedur auf der Verbindung „{name}“ wurde abgebrochen; ihre Änderungen wurden zurückgenommen',
  'The unzipped workbook': 'Die entpackte Arbeitsmappe',
  "The workbook has no table '{name}'.": 'Die Arbeitsmappe hat keine Tabelle „{name}“.',
  'The workbook is incomplete: its end is missing. {copyAgain}':
    'Die Arbeitsmappe ist unvollständig: Ihr Ende fehlt. {copyAgain}',
  'The workbook is protected by a password. {removePassword}':
    'Die Arbeitsmappe ist durch ein Kennwort geschützt. {removePassword}',
  'The workbook needs more memory than allowed. It may use {megabytes} MB; an administrator can raise the limit with RUNSHEET_THREAD_MEMORY_MB':
    'Die Arbeitsmappe braucht mehr Arbeitsspeicher als erlaubt. Sie darf {megabytes} MB nutzen; ein Administrator kann die Grenze mit RUNSHEET_THREAD_MEMORY_MB erhöhen',
  "The workbook was rejected: it contains a part with the path '{shown}', which no spreadsheet program writes. {saveAgain}":
    'Die Arbeitsmappe wurde abgelehnt: Sie enthält einen Teil mit dem Pfad „{shown}“, den kein Tabellenprogramm schreibt. {saveAgain}',
  'The workbook was rejected: its archive has more than {value} parts. {saveAgain}':
    'Die Arbeitsmappe wurde abgelehnt: Ihr Archiv hat mehr als {value} Teile. {saveAgain}',
  'The workbook was rejected: its archive has the part {path} twice. {saveAgain}':
    'Die Arbeitsmappe wurde abgelehnt: Ihr Archiv hat den Teil {path} doppelt. {saveAgain}',
  'The workbook was rejected: the part {path} would grow more than {ratio} times when unzipped, as in a zip bomb. {saveAgain}':
    'Die Arbeitsmappe wurde abgelehnt: Der Teil {path} würde beim Entpacken auf mehr als das {ratio}-Fache wachsen, wie bei einer Zip-Bombe. {saveAgain}',
  'its zip archive is inconsistent': 'ihr Zip-Archiv ist in sich widersprüchlich',
  'parts of the zip archive overlap': 'Teile des Zip-Archivs überlappen sich',
  'the cell holds the error {error}': 'die Zelle enthält den Fehler {error}',
  'the data of the part {path} have been changed': 'die Daten des Teils {path} wurden verändert',
  'the file cannot be read as csv: a quotation mark (") starts a value that never ends. Close the value, or double the quotation marks inside it':
    'die Datei ist als CSV nicht lesbar: Ein Anführungszeichen (") beginnt einen Wert, der nie endet. Schließen Sie den Wert, oder verdoppeln Sie die Anführungszeichen darin',
  'the file cannot be read as csv: save it again as csv in Excel':
    'die Datei ist als CSV nicht lesbar: Speichern Sie sie in Excel erneut als CSV',
  'the file has no {what}; it has {names}': 'der Datei fehlt: {what}; sie hat {names}',
  "the file has the column '{name}' twice": 'die Datei hat die Spalte „{name}“ doppelt',
  'the file is empty': 'die Datei ist leer',
  'the file is neither a text file nor an Excel workbook':
    'die Datei ist weder eine Textdatei noch eine Excel-Arbeitsmappe',
  'the file is not encoded in {encoding}': 'die Datei ist nicht in {encoding} kodiert',
  'the part {path} does not match its entry in the archive':
    'der Teil {path} stimmt nicht mit seinem Eintrag im Archiv überein',
  'the part {path} is compressed by a method that no spreadsheet program uses':
    'der Teil {path} ist mit einem Verfahren gepackt, das kein Tabellenprogramm verwendet',
  'the part {path} is cut off': 'der Teil {path} ist abgeschnitten',
  "the workbook has no sheet '{name}'; it has {names}": 'die Arbeitsmappe hat kein Blatt „{name}“; sie hat {names}',
  '{what} is larger than {megabytes} MB. {advice}': '{what} ist größer als {megabytes} MB. {advice}',
  '{what}: cannot be calculated with LibreOffice here': '{what}: kann hier mit LibreOffice nicht berechnet werden',
  // Connections and procedures
  "A procedure on the connection '{name}' returns more than 1 row":
    'Eine Prozedur auf der Verbindung „{name}“ liefert mehr als 1 Zeile',
  "A procedure on the connection '{name}' returns more than {value} rows":
    'Eine Prozedur auf der Verbindung „{name}“ liefert mehr als {value} Zeilen',
  "A query on the connection '{name}' returns more than 1 row":
    'Eine Abfrage auf der Verbindung „{name}“ liefert mehr als 1 Zeile',
  "A query on the connection '{name}' returns more than {value} rows":
    'Eine Abfrage auf der Verbindung „{name}“ liefert mehr als {value} Zeilen',
  "A query on the connection '{name}' took longer than {seconds} s":
    'Eine Abfrage auf der Verbindung „{name}“ dauerte länger als {seconds} s',
  "On the connection '{name}', the procedure opened a cursor that was closed with the procedure's own transaction before its rows could be read":
    'Auf der Verbindung „{name}“ hat die Prozedur einen Cursor geöffnet, der mit ihrer eigenen Transaktion geschlossen wurde, bevor seine Zeilen gelesen werden konnten',
  "On the connection '{name}', {endsByItself}; {kept}": 'Auf der Verbindung „{name}“: {endsByItself}; {kept}',
  "The connection '{name}' is configured as read-only": 'Die Verbindung „{name}“ ist nur zum Lesen eingerichtet',
  "The connection to the database of '{name}' was lost while the procedure was running{value}":
    'Die Verbindung zur Datenbank von „{name}“ ging verloren, während die Prozedur lief{value}',
  "The database of the connection '{name}' cannot be reached":
    'Die Datenbank der Verbindung „{name}“ ist nicht erreichbar',
  "The database of the connection '{name}' rejected the query: {said}":
    'Die Datenbank der Verbindung „{name}“ hat die Abfrage abgelehnt: {said}',
  "The database of the connection '{name}' rolled back the changes":
    'Die Datenbank der Verbindung „{name}“ hat die Änderungen zurückgenommen',
  "The procedure on the connection '{name}' {what}{value}": 'Die Prozedur auf der Verbindung „{name}“ {what}{value}',
  'The procedure {name} cannot be called: {value}': 'Die Prozedur {name} kann nicht aufgerufen werden: {value}',
  "The query on the connection '{name}' was cancelled": 'Die Abfrage auf der Verbindung „{name}“ wurde abgebrochen',
  "There is no connection named '{name}' on this server": 'Es gibt auf diesem Server keine Verbindung „{name}“',
  'changes that it committed, or made after a rollback, remain':
    'Änderungen, die sie festgeschrieben oder nach dem Zurückrollen vorgenommen hat, bleiben bestehen',
  'its changes were rolled back': 'ihre Änderungen wurden zurückgenommen',
  'the procedure commits or rolls back its own changes, but the activity is not set up for this':
    'die Prozedur schreibt ihre Änderungen selbst fest oder rollt sie zurück, aber die Aktivität ist dafür nicht eingerichtet',
  // Steps
  'Approved because it expired before enough people had decided':
    'Freigegeben, da die Frist abgelaufen ist, bevor genug Personen entschieden hatten',
  'Approved by {userFullName}{said}': 'Freigegeben von {userFullName}{said}',
  'Expired: not enough people decided in time': 'Abgelaufen: Es haben nicht rechtzeitig genug Personen entschieden',
  'It is run again automatically: attempt {attempt} of {repeatedMost}':
    'Er wird automatisch erneut ausgeführt: Versuch {attempt} von {repeatedMost}',
  'Not run: step "{step}" did not succeed': 'Nicht ausgeführt: Der Schritt „{step}“ war nicht erfolgreich',
  'Not run: the decision {stepNames} resulted in no': 'Nicht ausgeführt: Die Entscheidung {stepNames} ergab Nein',
  'Not run: the decision {stepNames} resulted in yes': 'Nicht ausgeführt: Die Entscheidung {stepNames} ergab Ja',
  'Not run: the outcome of step {stepNames} does not lead here':
    'Nicht ausgeführt: Der Ausgang von Schritt {stepNames} führt nicht hierher',
  'Not run: the outcome of steps {stepNames} does not lead here':
    'Nicht ausgeführt: Der Ausgang der Schritte {stepNames} führt nicht hierher',
  'Not run: the run was cancelled': 'Nicht ausgeführt: Der Lauf wurde abgebrochen',
  'Not run: {count} row did not succeed': 'Nicht ausgeführt: {count} Zeile war nicht erfolgreich',
  'Not run: {count} rows did not succeed': 'Nicht ausgeführt: {count} Zeilen waren nicht erfolgreich',
  'Rejected by {userFullName}{said}': 'Abgelehnt von {userFullName}{said}',
  'Step "{name}" no longer has an input "{input}"': 'Schritt „{name}“ hat keine Eingabe „{input}“ mehr',
  'System error (id {id})': 'Systemfehler (Kennung {id})',
  'The activity is no longer active and cannot be run':
    'Die Aktivität ist nicht mehr aktiv und kann nicht ausgeführt werden',
  'The combined result "{name}" of the rows is too large': 'Das Gesamtergebnis „{name}“ der Zeilen ist zu groß',
  'The inputs are not valid': 'Die Eingaben sind nicht gültig',
  'The person who started the run may no longer use connections':
    'Die Person, die den Lauf gestartet hat, darf keine Verbindungen mehr nutzen',
  'The procedure has changed since version {version}': 'Die Prozedur hat sich seit Version {version} geändert',
  'The server that was executing the run no longer responds':
    'Der Server, der den Lauf ausführte, antwortet nicht mehr',
  'The server was stopped before the run ended': 'Der Server wurde angehalten, bevor der Lauf beendet war',
  'The step that fills "{input}" no longer has an output "{name}"':
    'Der Schritt, der „{input}“ füllt, hat kein Ergebnis „{name}“ mehr',
  'The step that fills it did not return a usable value':
    'Der Schritt, der sie füllt, lieferte keinen verwendbaren Wert',
  'The table for the rows no longer exists': 'Die Tabelle für die Zeilen gibt es nicht mehr',
  'The user who started the run has been disabled': 'Der Benutzer, der den Lauf gestartet hat, wurde deaktiviert',
  'The user who started the run may no longer run this activity':
    'Der Benutzer, der den Lauf gestartet hat, darf diese Aktivität nicht mehr ausführen',
  'There is no longer a value for "{name}"': 'Es gibt keinen Wert für „{name}“ mehr',
  "the activity '{name}' is not active and cannot be run":
    'die Aktivität „{name}“ ist nicht aktiv und kann nicht ausgeführt werden',
  "the person who started the run may not run the activity '{name}'":
    'die Person, die den Lauf gestartet hat, darf die Aktivität „{name}“ nicht ausführen',
  'the user who started the run has been disabled': 'der Benutzer, der den Lauf gestartet hat, wurde deaktiviert',
  "there are several activities named '{named}': enter the schema too, as in {schema}/{named3}":
    'es gibt mehrere Aktivitäten „{named}“: Geben Sie auch das Schema an, wie in {schema}/{named3}',
  "there is no activity '{named}' that the person who started the run may run":
    'es gibt keine Aktivität „{named}“, die die Person, die den Lauf gestartet hat, ausführen darf',
  '{value} is neither true nor false': '{value} ist weder wahr noch falsch',
  '{value} is not a number': '{value} ist keine Zahl',
  // Values
  '1 more cell is invalid': '1 weitere Zelle ist ungültig',
  'Please choose a file': 'Bitte wählen Sie eine Datei',
  'Please choose a valid value.': 'Bitte wählen Sie einen gültigen Wert.',
  'Value in column {title} must be a number': 'Der Wert in der Spalte {title} muss eine Zahl sein',
  'Value in column {title} must be specified': 'In der Spalte {title} muss ein Wert angegeben werden',
  'Value is not in the list': 'Der Wert steht nicht in der Liste',
  'Value must be a number': 'Der Wert muss eine Zahl sein',
  'Value must be a whole number': 'Der Wert muss eine ganze Zahl sein',
  'Value must be provided': 'Ein Wert muss angegeben werden',
  'Value must be specified': 'Ein Wert muss angegeben werden',
  'Value must be {limit}': 'Der Wert muss {limit} sein',
  'Value must be {wantedDate}': 'Der Wert muss {wantedDate} sein',
  'a date, such as 31/Jan/2026': 'ein Datum, etwa 31/Jan/2026',
  '{message} (row {row})': '{message} (Zeile {row})',
  '{message} (rows {rows})': '{message} (Zeilen {rows})',
  '{more} more cells are invalid': '{more} weitere Zellen sind ungültig',
  '{value} is not in the list': '{value} steht nicht in der Liste',
};
