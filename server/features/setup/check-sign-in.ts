/** Whether directories and identity providers answer, and whether keys and certificates are valid. */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { Finding, FindingCode } from '#shared/contract/setup.ts';
import { AppError } from '#server/base/app-error.ts';
import type { OidcSettings, Saml2Settings } from '#server/config/sign-in-sources.ts';
import type { DirectoryCheck } from '#server/features/directories/directories-service.ts';
import { daysUntil, endsSoon, finding, reasonOf } from './finding.ts';
import { jsonOf, probe } from './probe.ts';
import type { SetupDeps } from './setup-deps.ts';

export interface SignInCheck {
  /** 'ad:corp', 'saml2:corp' or 'oidc:corp'. */
  name: string;
  /** Name of a person to look up in a directory; '' for none. */
  person: string;
}

/** Throws an AppError 404 if there is no such directory or provider. */
export async function checkSignIn(
  { sources, directories }: SetupDeps,
  { name, person }: SignInCheck,
  signal: AbortSignal,
): Promise<Finding[]> {
  const key = name.slice(name.indexOf(':') + 1);
  if (name === `ad:${key}`) {
    const check = directories.check(key);
    if (check) return [directoryFinding(key, await check), ...(await lookUp(directories, key, person))];
  }
  const oidc = name === `oidc:${key}` && sources.oidc.find((one) => one.key === key);
  if (oidc) return checkOidc(oidc, signal);
  const saml2 = name === `saml2:${key}` && sources.saml2.find((one) => one.key === key);
  if (saml2)
    return [...samlCertificates(saml2, (path) => sources.readFile(path)), ...(await checkSamlPage(saml2, signal))];
  throw new AppError('noSuchProvider', 404, 'There is no such directory or provider');
}

const DIRECTORY_CODES: Readonly<Record<DirectoryCheck['outcome'], FindingCode>> = {
  works: 'directoryWorks',
  refusesName: 'directoryRefusesName',
  hasNoBase: 'directoryBaseMissing',
  unreachable: 'directoryUnreachable',
};

const directoryFinding = (name: string, { outcome, error }: DirectoryCheck): Finding =>
  finding(DIRECTORY_CODES[outcome], { name, reason: error === undefined ? '' : reasonOf(error) });

/** Shows whether userFilter and attributes of the sign-in file fit. */
async function lookUp(directories: SetupDeps['directories'], key: string, person: string): Promise<Finding[]> {
  if (person === '') return [];
  // The check itself says why a directory cannot be asked.
  const found = await directories.find(person, key).catch(() => null);
  if (!found) return [finding('directoryFindsNobody', { person })];
  const { UserName: name, FirstName, LastName, Email: email } = found;
  return [finding('directoryFinds', { person, name, fullName: `${FirstName} ${LastName}`.trim(), email })];
}

/** Reads the metadata that each sign-in begins with. The client id and its secret are used only in sign-ins. */
async function checkOidc({ issuer }: OidcSettings, signal: AbortSignal): Promise<Finding[]> {
  const isWhole = new URL(issuer).pathname.includes('/.well-known/');
  const address = isWhole ? issuer : `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  try {
    const { status, body } = await probe(address, signal);
    const named = jsonOf(body)['issuer'];
    if (status !== 200 || typeof named !== 'string')
      return [finding('oidcUnreachable', { address, reason: `HTTP ${status}` })];
    if (!isWhole && named !== issuer) return [finding('oidcOtherIssuer', { issuer, named: named.slice(0, 200) })];
    return [finding('oidcWorks', { issuer })];
  } catch (error) {
    if (signal.aborted) throw error;
    return [finding('oidcUnreachable', { address, reason: reasonOf(error) })];
  }
}

function samlCertificates(settings: Saml2Settings, readFile: (path: string) => string): Finding[] {
  const { certificateFiles, ownCertificateFile, privateKeyFile } = settings;
  const found = [...certificateFiles, ownCertificateFile].map((file): Finding => {
    try {
      const end = Date.parse(new X509Certificate(readFile(file)).validTo);
      const days = daysUntil(end);
      const code = days < 0 ? 'samlCertificateEnded' : endsSoon(days) ? 'samlCertificateEnds' : 'samlCertificateValid';
      return finding(code, { file, time: new Date(end).toISOString(), days });
    } catch (error) {
      return finding('samlCertificateUnreadable', { file, reason: reasonOf(error) });
    }
  });
  return isOwnKey(settings, readFile)
    ? found
    : [...found, finding('samlKeyDiffers', { file: ownCertificateFile, key: privateKeyFile })];
}

function isOwnKey({ ownCertificateFile, privateKeyFile }: Saml2Settings, readFile: (path: string) => string): boolean {
  try {
    const certificate = new X509Certificate(readFile(ownCertificateFile));
    return certificate.checkPrivateKey(createPrivateKey(readFile(privateKeyFile)));
  } catch {
    return false;
  }
}

/** The browsers of people open this page, so it may be reachable for them although it is not for the server. */
async function checkSamlPage({ signInUrl: address }: Saml2Settings, signal: AbortSignal): Promise<Finding[]> {
  try {
    const { status } = await probe(address, signal);
    return [finding('samlPageAnswers', { address, status })];
  } catch (error) {
    if (signal.aborted) throw error;
    return [finding('samlPageUnreachable', { address, reason: reasonOf(error) })];
  }
}
