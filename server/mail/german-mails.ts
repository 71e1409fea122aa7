/** German texts of mails, keyed by their English texts. */
export const GERMAN_MAILS: Readonly<Record<string, string>> = {
  // Alerts
  'Test of an alert: {head}': 'Test eines Alarms: {head}',
  'Escalated, not opened yet: {head}': 'Eskaliert, noch nicht geöffnet: {head}',
  'Look for it in {title}.': 'Sehen Sie in {title} nach.',
  'Error: {error}': 'Fehler: {error}',
  'Step: {step}': 'Schritt: {step}',
  'Started by: {name}': 'Gestartet von: {name}',
  'Started: {time}': 'Gestartet: {time}',
  'Ended: {time}': 'Beendet: {time}',
  'Duration: {duration}': 'Dauer: {duration}',
  'Time: {time}': 'Zeit: {time}',
  // Alert rules
  '{count} alerts': '{count} Alarme',
  '{name}: {message} ({count} runs)': '{name}: {message} ({count} Läufe)',
  '{count} runs of {name} succeeded': '{count} Läufe von {name} waren erfolgreich',
  'and {count} more': 'und {count} weitere',
  'You receive this email because of your alert rule “{rule}”.':
    'Sie erhalten diese E-Mail wegen Ihrer Alarmregel „{rule}“.',
  'You receive this email because of the alert rule “{rule}”.':
    'Sie erhalten diese E-Mail wegen der Alarmregel „{rule}“.',
  'You receive this email because you own this activity or workflow.':
    'Sie erhalten diese E-Mail, weil diese Aktivität oder dieser Workflow Ihnen gehört.',
  'You receive this email because you started the run.':
    'Sie erhalten diese E-Mail, weil Sie den Lauf gestartet haben.',
  'All notifications: {link}': 'Alle Benachrichtigungen: {link}',
  'Choose what you are notified of: {link}': 'Festlegen, worüber Sie benachrichtigt werden: {link}',
  // Approvals
  'Hello {name},': 'Guten Tag {name},',
  'approval needed': 'Freigabe erforderlich',
  'approval still needed': 'Freigabe noch erforderlich',
  approved: 'freigegeben',
  rejected: 'abgelehnt',
  expired: 'abgelaufen',
  failed: 'fehlgeschlagen',
  cancelled: 'abgebrochen',
  open: 'offen',
  '"{step}" of {workflow}, started by {starter}, waits for your approval.':
    '„{step}“ von {workflow}, gestartet von {starter}, wartet auf Ihre Freigabe.',
  '"{step}" of {workflow}, started by {starter}, waits for your approval until {time}.':
    '„{step}“ von {workflow}, gestartet von {starter}, wartet bis {time} auf Ihre Freigabe.',
  '"{step}" of {workflow}, started by {starter}, still waits for your approval.':
    '„{step}“ von {workflow}, gestartet von {starter}, wartet noch auf Ihre Freigabe.',
  '"{step}" of {workflow}, started by {starter}, still waits for your approval until {time}.':
    '„{step}“ von {workflow}, gestartet von {starter}, wartet noch bis {time} auf Ihre Freigabe.',
  'If not enough people have decided by then, it counts as approved.':
    'Haben bis dahin nicht genug Personen entschieden, gilt sie als erteilt.',
  'If not enough people have decided by then, it fails.':
    'Haben bis dahin nicht genug Personen entschieden, schlägt sie fehl.',
  'Look for it under Approvals in {title}.': 'Sie finden sie in {title} unter Freigaben.',
  '"{step}" of {workflow}, which you started, was approved.':
    '„{step}“ von {workflow}, von Ihnen gestartet, wurde freigegeben.',
  '"{step}" of {workflow}, which you started, was rejected.':
    '„{step}“ von {workflow}, von Ihnen gestartet, wurde abgelehnt.',
  '"{step}" of {workflow}, which you started, was cancelled.':
    '„{step}“ von {workflow}, von Ihnen gestartet, wurde abgebrochen.',
  '"{step}" of {workflow}, which you started, was open.': '„{step}“ von {workflow}, von Ihnen gestartet, ist offen.',
  '"{step}" of {workflow}, which you started, has expired.':
    '„{step}“ von {workflow}, von Ihnen gestartet, ist abgelaufen.',
  '"{step}" of {workflow}, which you started, has expired, and counts as approved.':
    '„{step}“ von {workflow}, von Ihnen gestartet, ist abgelaufen und gilt als freigegeben.',
  '"{step}" of {workflow}, which you started, has failed: too few people are left who can approve.':
    '„{step}“ von {workflow}, von Ihnen gestartet, ist fehlgeschlagen: Es sind zu wenige Personen übrig, die freigeben können.',
  'Approved by {name}': 'Freigegeben von {name}',
  'Approved by {name}: {comment}': 'Freigegeben von {name}: {comment}',
  'Rejected by {name}': 'Abgelehnt von {name}',
  'Rejected by {name}: {comment}': 'Abgelehnt von {name}: {comment}',
  // Access
  '{person} asks for access to {name}': '{person} bittet um Zugriff auf {name}',
  'You now have access to {name}': 'Sie haben jetzt Zugriff auf {name}',
  '{person} shared {name} with you': '{person} hat {name} mit Ihnen geteilt',
  '{person} writes:': '{person} schreibt:',
  // Passwords
  '{title}: reset your password': '{title}: Kennwort zurücksetzen',
  '{title}: set your password': '{title}: Kennwort festlegen',
  'someone requested a new password for the user {userName} of {title}. To choose one, open this link within an hour. It works once:':
    'für den Benutzer {userName} in {title} wurde ein neues Kennwort angefordert. Um eines zu wählen, öffnen Sie innerhalb einer Stunde diesen Link. Er funktioniert einmal:',
  'If you did not request it, ignore this email: your password does not change.':
    'Falls Sie das nicht waren, ignorieren Sie diese E-Mail: Ihr Kennwort ändert sich nicht.',
  'you are now a user of {title}, with the user name {userName}. To choose your password, open this link within a day. It works once:':
    'Sie sind jetzt Benutzer von {title}, mit dem Benutzernamen {userName}. Um Ihr Kennwort zu wählen, öffnen Sie innerhalb eines Tages diesen Link. Er funktioniert einmal:',
  'If the link has expired, get another one with “Reset password” on the sign-in page.':
    'Ist der Link abgelaufen, erhalten Sie über „Kennwort zurücksetzen“ auf der Anmeldeseite einen neuen.',
  // Setup
  '{title}: test email': '{title}: Test-E-Mail',
  'This is a test email of {title}. An administrator sent it to check the mail settings.':
    'Dies ist eine Test-E-Mail von {title}. Ein Administrator hat sie gesendet, um die E-Mail-Einstellungen zu prüfen.',
  // Daily summary
  'daily summary': 'Tägliche Zusammenfassung',
  'None of your runs ended in the last 24 hours, and nothing waits for you.':
    'In den letzten 24 Stunden ist keiner Ihrer Läufe zu Ende gegangen, und nichts wartet auf Sie.',
  'Your runs of the last 24 hours: {total}, of which {failed} failed.':
    'Ihre Läufe der letzten 24 Stunden: {total}, davon {failed} fehlgeschlagen.',
  'and more': 'und weitere',
  'Alerts that you received:': 'Alarme, die Sie erhalten haben:',
  '1 approval waits for you.': '1 Freigabe wartet auf Sie.',
  '{count} approvals wait for you.': '{count} Freigaben warten auf Sie.',
  'Queued for execution': 'Zur Ausführung eingereiht',
  Waiting: 'Wartet',
  'Gathering inputs': 'Eingaben werden gesammelt',
  Running: 'Läuft',
  Succeeded: 'Erfolgreich',
  'Succeeded with warnings': 'Erfolgreich mit Warnungen',
  Failed: 'Fehlgeschlagen',
  Cancelled: 'Abgebrochen',
  'Error in activity setup': 'Fehler in der Einrichtung der Aktivität',
  'System error': 'Systemfehler',
  'Service interrupted': 'Dienst unterbrochen',
  'Invalid or expired license': 'Ungültige oder abgelaufene Lizenz',
};

/** Messages of alerts, which are complete sentences when they are mailed. */
export const GERMAN_MESSAGES: Readonly<Record<string, string>> = {
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
  'The run has ended': 'Der Lauf ist beendet',
  'The run has been running for {time}; 95% of the last runs took {limit} or less':
    'Der Lauf läuft schon {time}; 95 % der letzten Läufe dauerten höchstens {limit}',
  'The run took {time}; 95% of the last runs took {limit} or less':
    'Der Lauf dauerte {time}; 95 % der letzten Läufe dauerten höchstens {limit}',
  'No run succeeded by {time} on {day} ({timeZone})': 'Am {day} war bis {time} ({timeZone}) kein Lauf erfolgreich',
  'The condition {condition} can no longer be evaluated':
    'Die Bedingung {condition} kann nicht mehr ausgewertet werden',
  'Sent by {userName} to test the alert': 'Von {userName} gesendet, um den Alarm zu testen',
};
