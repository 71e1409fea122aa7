/**
 * `npm run issue-license`: creates licence keys for installations, without a server.
 *
 *   npm run issue-license -- new-vendor FILE            writes a vendor's private key to FILE; prints the public key
 *   npm run issue-license -- FILE COMPANY [yyyy-mm-dd]  prints a key signed with it; without a date it never expires
 *
 * The public key is printed as the setting RUNSHEET_LICENSE_VENDOR_KEY.
 */
import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { issueLicenseKey } from '#server/features/license/license-key.ts';

const USAGE = 'usage: issue-license new-vendor FILE | issue-license FILE COMPANY [yyyy-mm-dd]';

/**
 * The private key stays with the vendor: only its owner may read the file, and an existing file is never overwritten.
 */
function makeVendor(file: string): void {
  const { privateKey } = generateKeyPairSync('ed25519');
  writeFileSync(file, privateKey.export({ format: 'pem', type: 'pkcs8' }), { mode: 0o600, flag: 'wx' });
  const publicKey = createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).toString('base64');
  console.log(`RUNSHEET_LICENSE_VENDOR_KEY=${publicKey}`);
}

function issue(file: string, Company: string, Expiry: string | undefined): void {
  const payload = Expiry === undefined ? { Company } : { Company, Expiry };
  console.log(issueLicenseKey(payload, readFileSync(file, 'utf8')));
}

const [first, second, third] = process.argv.slice(2);
try {
  if (first === undefined || second === undefined) throw new Error(USAGE);
  if (first === 'new-vendor') makeVendor(second);
  else issue(first, second, third);
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 2;
}
