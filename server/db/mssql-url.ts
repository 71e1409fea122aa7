/**
 * The allowed parameters of a SQL Server URL, and their conversion to driver options. Unknown parameters are rejected,
 * because a misspelled one could silently be insecure.
 */
import { readFileSync } from 'node:fs';
import { Type, type Static } from 'typebox';
import { Value } from 'typebox/value';
import { StartError } from '#server/base/start-error.ts';

const Flag = Type.Enum(['true', 'false']);
const Named = Type.String({ minLength: 1, maxLength: 200 });

/** Sign-in methods, named as in Microsoft's drivers. `SqlPassword` is a login of the server itself. */
const MSSQL_AUTHENTICATIONS = [
  'SqlPassword',
  'NTLM',
  'ActiveDirectoryDefault',
  'ActiveDirectoryManagedIdentity',
  'ActiveDirectoryServicePrincipal',
] as const;

const MssqlParameters = Type.Object(
  {
    encrypt: Type.Optional(Type.Enum(['true', 'false', 'strict'])),
    trustServerCertificate: Type.Optional(Flag),
    /** A PEM file with the certificates of the authorities that may have signed the server's certificate. */
    caFile: Type.Optional(Type.String({ minLength: 1, maxLength: 1000 })),
    /** Set if the certificate is for a host other than that of the URL. */
    hostNameInCertificate: Type.Optional(Named),
    instanceName: Type.Optional(Named),
    multiSubnetFailover: Type.Optional(Flag),
    applicationIntent: Type.Optional(Type.Enum(['ReadOnly', 'ReadWrite'])),
    authentication: Type.Optional(Type.Enum([...MSSQL_AUTHENTICATIONS])),
    domain: Type.Optional(Named),
    clientId: Type.Optional(Named),
    tenantId: Type.Optional(Named),
  },
  { additionalProperties: false },
);
type MssqlParameters = Static<typeof MssqlParameters>;

/**
 * Parameters that Microsoft's drivers know but this one does not. Each has its own message, because users would not
 * expect a rejection.
 */
const NOT_SUPPORTED: Record<string, string> = {
  columnEncryption: 'Always Encrypted is not supported',
  columnEncryptionSetting: 'Always Encrypted is not supported',
  integratedSecurity: 'sign-in by Kerberos is not supported; NTLM is, as authentication=NTLM&domain=…',
  trustedConnection: 'sign-in by Kerberos is not supported; NTLM is, as authentication=NTLM&domain=…',
};

/** Returns the problem with the URL, without any part of its password; null if there is none. */
export function mssqlUrlProblem(url: string): string | null {
  const { searchParams, username, password } = new URL(url);
  const names = [...searchParams.keys()];
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) return `the parameter ${twice} stands twice`;
  const lacking = names.find((name) => Object.hasOwn(NOT_SUPPORTED, name));
  if (lacking !== undefined) return `${lacking}: ${NOT_SUPPORTED[lacking]}`;
  const unknown = names.find((name) => !Object.hasOwn(MssqlParameters.properties, name));
  if (unknown !== undefined) {
    return `there is no parameter ${unknown}; there are ${Object.keys(MssqlParameters.properties).join(', ')}`;
  }
  const parameters = Object.fromEntries(searchParams);
  const [wrong] = Value.Errors(MssqlParameters, parameters);
  if (wrong) return `the parameter ${wrong.instancePath.slice(1)} ${allowedText(wrong.instancePath.slice(1))}`;
  return signInProblem(parameters as MssqlParameters, { username, password });
}

function allowedText(name: string): string {
  const { enum: values } = MssqlParameters.properties[name as keyof MssqlParameters] as { enum?: readonly string[] };
  return values ? `must be one of ${values.join(', ')}` : 'is empty or too long';
}

function signInProblem(
  said: MssqlParameters,
  { username, password }: { username: string; password: string },
): string | null {
  const how = said.authentication ?? 'SqlPassword';
  const needs = (what: string): string => `authentication=${how} needs ${what}`;
  if (how === 'NTLM' && said.domain === undefined) return needs('domain=');
  if (how !== 'NTLM' && said.domain !== undefined) return 'the parameter domain goes with authentication=NTLM';
  if (how === 'ActiveDirectoryServicePrincipal') {
    if (said.tenantId === undefined) return needs('tenantId=');
    return username === '' ? needs('the client id as user and its secret as password') : null;
  }
  if (said.tenantId !== undefined)
    return 'the parameter tenantId goes with authentication=ActiveDirectoryServicePrincipal';
  const isByToken = how === 'ActiveDirectoryDefault' || how === 'ActiveDirectoryManagedIdentity';
  if (isByToken && password !== '') return `authentication=${how} takes no password`;
  if (!isByToken && said.clientId !== undefined) return 'the parameter clientId goes with a managed identity';
  return null;
}

/** Returns the driver options for signing in, with Knex's names. */
export function signInOptions(url: string): Record<string, string> {
  const { username, password, searchParams } = new URL(url);
  const [userName, secret] = [decodeURIComponent(username), decodeURIComponent(password)];
  const clientId = searchParams.get('clientId');
  const identity: Record<string, string> = clientId === null ? {} : { clientId };
  switch (searchParams.get('authentication') ?? 'SqlPassword') {
    case 'NTLM':
      return { type: 'ntlm', userName, password: secret, domain: searchParams.get('domain') ?? '' };
    case 'ActiveDirectoryDefault':
      return { type: 'azure-active-directory-default', ...identity };
    case 'ActiveDirectoryManagedIdentity':
      return { type: 'azure-active-directory-msi-vm', ...identity };
    case 'ActiveDirectoryServicePrincipal': {
      const tenantId = searchParams.get('tenantId') ?? '';
      return {
        type: 'azure-active-directory-service-principal-secret',
        clientId: userName,
        clientSecret: secret,
        tenantId,
      };
    }
    default:
      return { userName, password: secret };
  }
}

/**
 * Returns the driver options for the connection and its protection: it is encrypted and the certificate is checked,
 * unless the URL says otherwise.
 */
export function transportOptions(url: string): Record<string, unknown> {
  const { searchParams } = new URL(url);
  const said = Object.fromEntries(searchParams) as MssqlParameters;
  return {
    encrypt: said.encrypt === 'strict' ? 'strict' : said.encrypt !== 'false',
    trustServerCertificate: said.trustServerCertificate === 'true',
    ...(said.caFile === undefined ? {} : { cryptoCredentialsDetails: { ca: readAuthorities(said.caFile) } }),
    ...(said.hostNameInCertificate === undefined ? {} : { serverName: said.hostNameInCertificate }),
    ...(said.instanceName === undefined ? {} : { instanceName: said.instanceName }),
    ...(said.multiSubnetFailover === 'true' ? { multiSubnetFailover: true } : {}),
    ...(said.applicationIntent === 'ReadOnly' ? { readOnlyIntent: true } : {}),
  };
}

function readAuthorities(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? 'unreadable';
    throw new StartError(
      `the certificates of ${file}, which caFile of a database's URL names, cannot be read: ${code}`,
      { cause },
    );
  }
}
