/** What is known of each part without asking another machine, except for the database and the file store. */
import { arch, platform, release } from 'node:os';
import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { fromSerial } from '#shared/codecs/serial-date.ts';
import type { Finding, SetupKey } from '#shared/contract/setup.ts';
import { VERSION } from '#server/base/version.ts';
import { publicAddress } from '#server/config/public-address.ts';
import { isThisMachine, type SignInSources } from '#server/config/sign-in-sources.ts';
import { lastDataWork } from './data-records.ts';
import { daysUntil, endsSoon, finding, reasonOf } from './finding.ts';
import type { SetupDeps } from './setup-deps.ts';

/** What the call of an administrator shows about the way to the server. */
export interface CallFacts {
  /** True if the call has the headers of a reverse proxy. */
  isForwarded: boolean;
}

type Facts = (deps: SetupDeps, call: CallFacts) => Finding[] | Promise<Finding[]>;

export const FACTS: Readonly<Record<SetupKey, Facts>> = {
  mail: mailFacts,
  signIn: ({ sources }) => signInFacts(sources),
  address: addressFacts,
  backup: backupFacts,
  files: filesFacts,
  database: databaseFacts,
  license: licenseFacts,
  metrics: metricsFacts,
  versions: ({ state }) => [
    finding('version', {
      version: VERSION,
      node: process.versions.node,
      system: `${platform()} ${release()} ${arch()}`,
    }),
    ...(state.otherVersions.length > 0
      ? [finding('otherVersions', { version: VERSION, versions: state.otherVersions.join(', ') })]
      : []),
  ],
};

const isLoopback = (host: string): boolean => isThisMachine(host.includes(':') ? `[${host}]` : host);

function mailFacts({ config, mail }: SetupDeps): Finding[] {
  if (!mail.isConfigured) return [finding('mailOff')];
  const { smtpHost: host, smtpPort: port, smtpSecurity: security, mailFrom: sender } = config;
  return [
    finding('mailServer', { host, port, security, sender }),
    ...(security === 'none' && !isLoopback(host) ? [finding('mailUnencrypted')] : []),
    ...(publicAddress(config) === null ? [finding('mailLinksOff')] : []),
  ];
}

function signInFacts({ allowLocalUsers, directories, saml2, oidc }: SignInSources): Finding[] {
  const count = directories.length + saml2.length + oidc.length;
  return [
    finding(allowLocalUsers ? 'localUsers' : 'noLocalUsers'),
    ...(count > 0 ? [finding('providers', { count })] : []),
  ];
}

/** Names of the directories and providers, as in the sign-in file: 'ad:corp', 'saml2:corp', 'oidc:corp'. */
export const providerNames = ({ directories, saml2, oidc }: SignInSources): string[] => [
  ...directories.map(({ key }) => `ad:${key}`),
  ...saml2.map(({ key }) => `saml2:${key}`),
  ...oidc.map(({ key }) => `oidc:${key}`),
];

function addressFacts({ config }: SetupDeps, { isForwarded }: CallFacts): Finding[] {
  const address = publicAddress(config);
  const proxy = isForwarded && config.trustedProxies.length === 0 ? [finding('proxyNotTrusted')] : [];
  if (address === null) return [finding('addressOff'), ...proxy];
  const { protocol, hostname } = new URL(address);
  const isPlain = protocol === 'http:' && !isThisMachine(hostname);
  return [finding('address', { address }), ...(isPlain ? [finding('addressUnencrypted')] : []), ...proxy];
}

const MAX_BACKUP_AGE_DAYS = 7;

async function backupFacts({ database }: SetupDeps): Promise<Finding[]> {
  const [backup, verification] = await Promise.all([
    lastDataWork(database, 'backup'),
    lastDataWork(database, 'verification'),
  ]);
  const found: Finding[] = [];
  if (backup) {
    const days = -daysUntil(Date.parse(backup.Time)) - 1;
    found.push(finding('backupMade', { time: backup.Time, count: backup.Files }));
    if (days >= MAX_BACKUP_AGE_DAYS) found.push(finding('backupOld', { days }));
    if (backup.DamagedFiles > 0) found.push(finding('backupDamaged', { count: backup.DamagedFiles }));
  } else found.push(finding('backupNever'));
  if (!database.dialect.snapshots) found.push(finding('backupOfFilesOnly', { product: database.dialect.product }));
  if (!verification) return [...found, finding('verifiedNever')];
  const { Time: time, Files: count, MissingFiles: missing, ChangedFiles: changed, IsLogIntact } = verification;
  const isIntact = missing + changed === 0 && IsLogIntact;
  if (isIntact) return [...found, finding('verified', { time, count })];
  return [...found, finding('verifiedWithFaults', { time, missing, changed, log: IsLogIntact ? 'intact' : 'altered' })];
}

const MIN_FREE_BYTES = 2 * 1024 ** 3;
const MIN_FREE_SHARE = 0.05;

async function filesFacts({ config, fileStore }: SetupDeps): Promise<Finding[]> {
  const { s3Bucket: bucket, s3Endpoint: endpoint, s3Region: region, dataDir } = config;
  const away = await fileStore.check().then(
    () => [],
    (error: unknown) => [finding('filesAway', { reason: reasonOf(error) })],
  );
  if (bucket !== '') return [finding('filesInBucket', { bucket, store: endpoint || `AWS ${region}` }), ...away];
  return [finding('filesInFolder', { folder: join(dataDir, 'files') }), ...(await freeSpace(dataDir)), ...away];
}

async function freeSpace(folder: string): Promise<Finding[]> {
  try {
    const { bavail, blocks, bsize } = await statfs(folder);
    const isLow = bavail * bsize < MIN_FREE_BYTES || bavail < blocks * MIN_FREE_SHARE;
    return [finding(isLow ? 'filesAlmostFull' : 'filesFree', { bytes: bavail * bsize, total: blocks * bsize })];
  } catch {
    // Some file systems do not report it.
    return [];
  }
}

async function databaseFacts({ config, database: { knex, dialect } }: SetupDeps): Promise<Finding[]> {
  const [row] = (await knex.select({ Version: dialect.serverVersion(knex) })) as { Version: string }[];
  return [
    finding(config.databaseUrl === '' ? 'databaseEmbedded' : 'databaseOwn'),
    finding('databaseVersion', { product: dialect.product, version: row!.Version }),
  ];
}

const NOON_MS = 12 * 3_600_000;

async function licenseFacts({ config, license }: SetupDeps): Promise<Finding[]> {
  if (config.licenseVendorKey === '') return [finding('licenseNone')];
  const { Company: company, Expiry } = await license.current();
  if (company === '') return [finding('licenseMissing')];
  const last = Expiry === null ? null : fromSerial(Expiry);
  if (last === null) return [finding('licenseValid', { company, time: '' })];
  const end = Date.UTC(last.year, last.month - 1, last.day);
  // Noon, so that the page shows the same day in every time zone.
  const values = { company, time: new Date(end + NOON_MS).toISOString() };
  if (!(await license.allowsRuns())) return [finding('licenseEnded', values)];
  return [finding(endsSoon(daysUntil(end)) ? 'licenseEnds' : 'licenseValid', values)];
}

function metricsFacts({ config }: SetupDeps): Finding[] {
  const { metricsPort: port, metricsHost: host, metricsToken, tracesUrl } = config;
  const traces = tracesUrl === '' ? [] : [finding('tracesOn', { address: tracesUrl })];
  if (port === 0) return traces.length > 0 ? traces : [finding('metricsOff')];
  const isOpen = metricsToken === '' && !isLoopback(host);
  return [finding('metricsOn', { host, port }), ...(isOpen ? [finding('metricsOpen')] : []), ...traces];
}
