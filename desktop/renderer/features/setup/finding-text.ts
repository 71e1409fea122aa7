import type { Finding, FindingCode } from '#shared/contract/setup.ts';
import { fileSizeText } from '#renderer/language/numbers.ts';
import { said, t } from '#renderer/language/translate.ts';
import { formatDay, formatDayTime } from '#renderer/ui/format-date.ts';
import { ADDRESS_TEXTS, SIGN_IN_TEST_TEXTS, SIGN_IN_TEXTS } from './sign-in-texts.ts';

export type FindingTexts<Codes extends FindingCode> = Readonly<Record<Codes, (values: Values) => string>>;
export type Values = Readonly<Record<string, string | number>>;

/** A sentence about what was found, and for a problem its cause and how to fix it. */
export function findingText({ Code, Values }: Finding): string {
  return TEXTS[Code]({ ...Values, ...shownValues(Values) });
}

/** Formats the values that people would not read as they are. */
function shownValues({ time, reason, bytes, total }: Values): Values {
  return {
    ...(typeof time === 'string' && time !== '' ? { day: formatDay(time), time: formatDayTime(time) } : {}),
    ...(typeof reason === 'string' ? { reason: said(reason) } : {}),
    ...(typeof bytes === 'number' ? { bytes: fileSizeText(bytes) } : {}),
    ...(typeof total === 'number' ? { total: fileSizeText(total) } : {}),
  };
}

type MailCode = Extract<FindingCode, `mail${string}`>;

const MAIL_TEXTS: FindingTexts<MailCode> = {
  mailOff: () =>
    t(
      'No mail server is set. Invitations, links to set passwords, alerts and approvals are not sent. Set RUNSHEET_SMTP_HOST and RUNSHEET_MAIL_FROM.',
    ),
  mailServer: (values) => t('Emails are sent from {sender} through {host}, port {port} ({security}).', values),
  mailUnencrypted: () =>
    t(
      'Emails reach the mail server without encryption, including links to set passwords. Set RUNSHEET_SMTP_SECURITY to starttls or tls.',
    ),
  mailLinksOff: () =>
    t('Links to set passwords are not sent, because the address of the portal is not set. Set RUNSHEET_PUBLIC_URL.'),
  mailSent: (values) => t('The mail server accepted the email to {address}. Check that it arrives.', values),
  mailRefused: (values) =>
    t('{reason}. Check that the mail server accepts emails from the sender in RUNSHEET_MAIL_FROM.', values),
  mailRecipientRefused: (values) =>
    t('{reason}. Check the address, and whether the mail server may send to other domains.', values),
  mailSignInRefused: (values) => t('{reason}. Check RUNSHEET_SMTP_USER and RUNSHEET_SMTP_PASSWORD.', values),
  mailUnreachable: (values) =>
    t(
      '{reason}. Check RUNSHEET_SMTP_HOST, RUNSHEET_SMTP_PORT and RUNSHEET_SMTP_SECURITY, and whether a firewall blocks the connection.',
      values,
    ),
  mailUncertain: (values) => t('{reason}. Check whether the email arrives.', values),
};

type DataCode = Extract<FindingCode, `backup${string}` | `verified${string}` | `files${string}` | `database${string}`>;

const DATA_TEXTS: FindingTexts<DataCode> = {
  backupNever: () =>
    t(
      'No backup was recorded. Run the first command below each night. Backups that other tools make are not recorded here.',
    ),
  backupMade: (values) => t('Last backup: {time}, with {count, plural, one {# file} other {# files}}.', values),
  backupOld: (values) =>
    t(
      'The last backup is {days, plural, one {# day} other {# days}} old. Check whether the nightly backup runs.',
      values,
    ),
  backupDamaged: (values) =>
    t(
      '{count, plural, one {# file was} other {# files were}} missing or damaged when the backup was made. Run npm run verify-data, and restore these files from an older backup.',
      values,
    ),
  backupOfFilesOnly: (values) =>
    t('The backup contains only the files. Back up the database with the tools of {product}.', values),
  verifiedNever: () => t('The data was not verified yet.'),
  verified: (values) =>
    t('Verified {time}: {count, plural, one {# file} other {# files}}, everything is in order.', values),
  verifiedWithFaults: (values) =>
    values['log'] === 'intact'
      ? t(
          'Verified {time}: {missing, plural, one {# file is} other {# files are}} missing, {changed, plural, one {# file} other {# files}} changed. Restore them from a backup.',
          values,
        )
      : t(
          'Verified {time}: the log of security actions was altered; {missing, plural, one {# file is} other {# files are}} missing, {changed, plural, one {# file} other {# files}} changed. Run npm run verify-data for details.',
          values,
        ),
  filesInFolder: (values) => t('Files are stored in the folder {folder}.', values),
  filesInBucket: (values) => t('Files are stored in the bucket {bucket} at {store}.', values),
  filesFree: (values) => t('{bytes} of {total} are free.', values),
  filesAlmostFull: (values) =>
    t(
      'Only {bytes} of {total} are free. Purge run data, shorten the retention, or enlarge the disk. Runs fail when it is full.',
      values,
    ),
  filesAway: (values) =>
    t(
      'Files cannot be stored or read: {reason}. Check that the folder is mounted and writable, or that the bucket is reachable.',
      values,
    ),
  filesWork: (values) => t('A file was stored, read and deleted in {milliseconds} ms.', values),
  filesMissing: (values) =>
    t(
      '{missing} of {count} sampled files are missing. Check RUNSHEET_DATA_DIR or the bucket, and run npm run verify-data.',
      values,
    ),
  databaseEmbedded: () =>
    t('The portal uses the embedded database. To run several servers, set RUNSHEET_DATABASE_URL to your own database.'),
  databaseOwn: () => t('The portal uses your own database.'),
  databaseVersion: (values) => t('{product} {version}', values),
  databaseFast: (values) => t('The database answers in {milliseconds} ms.', values),
  databaseSlow: (values) =>
    t(
      'The database takes {milliseconds} ms to answer, which slows every page and run. Move the server closer to the database, or check its load.',
      values,
    ),
  databaseAway: (values) => t('The database did not answer: {reason}. Check that it runs.', values),
};

type OtherCode = Exclude<
  FindingCode,
  MailCode | DataCode | keyof typeof SIGN_IN_TEXTS | keyof typeof SIGN_IN_TEST_TEXTS | keyof typeof ADDRESS_TEXTS
>;

const OTHER_TEXTS: FindingTexts<OtherCode> = {
  licenseNone: () => t('This portal needs no license.'),
  licenseValid: (values) =>
    values['day'] === undefined
      ? t('Licensed to {company}, with no expiry date.', values)
      : t('Licensed to {company} until {day}.', values),
  licenseEnds: (values) =>
    t('Licensed to {company} only until {day}. Renew the license, or runs will no longer start.', values),
  licenseEnded: (values) =>
    t('The license of {company} expired on {day}. Runs do not start until you renew it.', values),
  licenseMissing: () => t('There is no license. Runs do not start until you enter a license key.'),
  metricsOff: () => t('This server provides no metrics. Set RUNSHEET_METRICS_PORT to monitor it with Prometheus.'),
  metricsOn: (values) => t('Prometheus can read metrics at http://{host}:{port}/metrics.', values),
  metricsOpen: () => t('Anyone who reaches the port can read the metrics. Set RUNSHEET_METRICS_TOKEN.'),
  tracesOn: (values) => t('Traces are sent to {address}.', values),
  version: (values) => t('Runsheet {version}, Node.js {node}, {system}', values),
  otherVersions: (values) =>
    t('Other servers run {versions}. Publishing is blocked until all servers run the same version.', values),
  tooSlow: (values) =>
    t('No answer within {seconds} seconds. Check the address and the network between the servers.', values),
};

const TEXTS: FindingTexts<FindingCode> = {
  ...MAIL_TEXTS,
  ...DATA_TEXTS,
  ...SIGN_IN_TEXTS,
  ...SIGN_IN_TEST_TEXTS,
  ...ADDRESS_TEXTS,
  ...OTHER_TEXTS,
};
