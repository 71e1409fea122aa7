import { parseSerialDate } from '#shared/codecs/serial-date.ts';
import type { License } from '#shared/contract/license.ts';
import { AppError } from '#server/base/app-error.ts';
import type { Config } from '#server/config/config-schema.ts';
import type { Database } from '#server/db/database.ts';
import { dialectOf } from '#server/db/dialect/dialect.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Actor } from '#server/access/actor.ts';
import { recordActions } from '#server/access/audit/record-actions.ts';
import type { PasswordKeysService } from '#server/features/sessions/password-keys-service.ts';
import { StartError } from '#server/base/start-error.ts';
import { readLicenseKey, readVendorKey } from './license-key.ts';

export interface LicenseService {
  /** Returns what the top bar shows. A missing license has no company and expired on day 0. */
  current(): Promise<License>;
  /** Returns whether runs may be executed now; always true if no vendor key is configured. */
  allowsRuns(): Promise<boolean>;
  /** @param encrypted the key in pieces, each encrypted with a key generated for the actor. Throws an AppError 400. */
  renew(actor: Actor, encrypted: string): Promise<License>;
}

export interface LicenseDeps {
  config: Pick<Config, 'licenseVendorKey' | 'timeZone'>;
  database: Database;
  keys: PasswordKeysService;
  /** For tests; returns milliseconds since 1970. */
  now?: () => number;
}

const COMMUNITY: License = { Company: 'Community', Expiry: null };
const MISSING: License = { Company: '', Expiry: 0 };
const SETTING = 'License';
/** How long the license is cached. Another server process may renew it. */
const CACHE_MS = 5_000;

/** Throws a StartError if the configured vendor key is invalid. */
export function createLicenseService(deps: LicenseDeps): LicenseService {
  const { config, database, keys, now = Date.now } = deps;
  const vendorKey = config.licenseVendorKey === '' ? null : vendorKeyOf(config.licenseVendorKey);
  if (!vendorKey) return createCommunityService();
  let known: { license: Promise<License>; until: number } | undefined;

  async function load(): Promise<License> {
    const row = await database.knex('Settings').where('Name', SETTING).first('Value');
    return (row && readLicenseKey(row.Value, vendorKey!)) ?? MISSING;
  }

  function current(): Promise<License> {
    if (!known || known.until < now()) {
      const license = load();
      known = { license, until: now() + CACHE_MS };
      license.catch(() => (known = undefined));
    }
    return known.license;
  }

  const isOver = ({ Expiry }: License): boolean => Expiry !== null && Expiry < today(now(), config.timeZone);

  return {
    current,
    allowsRuns: async () => !isOver(await current()),
    renew: async (actor, encrypted) => {
      const parts = await keys.decrypt(actor.UserName.toLowerCase(), encrypted.split('\n'));
      const licenseKey = parts.join('').trim();
      const license = readLicenseKey(licenseKey, vendorKey);
      if (!license) throw refusal('This key was not issued by the vendor of this portal');
      if (isOver(license)) throw refusal('The license of this key has expired');
      await inTransaction(database.knex, async (trx) => {
        const row = { Name: SETTING, Value: licenseKey };
        await dialectOf(trx).upsert(trx, { table: 'Settings', key: ['Name'], update: ['Value'], rows: [row] });
        await recordActions(trx, actor, [{ Action: 'RenewLicense' }]);
      });
      known = undefined;
      return license;
    },
  };
}

function createCommunityService(): LicenseService {
  return {
    current: async () => COMMUNITY,
    allowsRuns: async () => true,
    renew: () => Promise.reject(refusal('This portal needs no license: no vendor key is configured')),
  };
}

function vendorKeyOf(text: string): ReturnType<typeof readVendorKey> {
  try {
    return readVendorKey(text);
  } catch (cause) {
    throw new StartError(
      'RUNSHEET_LICENSE_VENDOR_KEY is not a public Ed25519 key (PEM, or base64 of its DER); npm run issue-license creates one',
      { cause },
    );
  }
}

function refusal(message: string): AppError {
  return new AppError('license', 400, message, { modelState: { NewKey: [message] } });
}

/** Returns the serial day of a moment in a time zone. */
function today(instant: number, timeZone: string): number {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  return parseSerialDate(format.format(instant)) ?? 0;
}
