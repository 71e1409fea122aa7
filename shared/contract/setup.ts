/** The page Setup: whether each part of the installation works, and with which settings it is changed. */
import { Type, type Static } from 'typebox';
import { Ott } from './auth.ts';
import { closed, get, nullable, post, userAdmin } from './endpoint.ts';

const SETUP_KEYS = [
  'mail',
  'signIn',
  'address',
  'backup',
  'files',
  'database',
  'license',
  'metrics',
  'versions',
] as const;
export type SetupKey = (typeof SETUP_KEYS)[number];
const SetupKey = Type.Unsafe<SetupKey>(Type.Union(SETUP_KEYS.map((key) => Type.Literal(key))));

/** What is found, and whether somebody should act. The screens have the sentences. */
const FINDINGS = {
  mailOff: 'off',
  mailServer: 'fact',
  mailUnencrypted: 'problem',
  mailLinksOff: 'problem',
  mailSent: 'fact',
  mailRefused: 'problem',
  mailRecipientRefused: 'problem',
  mailSignInRefused: 'problem',
  mailUnreachable: 'problem',
  mailUncertain: 'problem',
  localUsers: 'fact',
  noLocalUsers: 'fact',
  providers: 'fact',
  directoryWorks: 'fact',
  directoryRefusesName: 'problem',
  directoryBaseMissing: 'problem',
  directoryUnreachable: 'problem',
  directoryFinds: 'fact',
  directoryFindsNobody: 'problem',
  oidcWorks: 'fact',
  oidcUnreachable: 'problem',
  oidcOtherIssuer: 'problem',
  samlCertificateValid: 'fact',
  samlCertificateEnds: 'problem',
  samlCertificateEnded: 'problem',
  samlCertificateUnreadable: 'problem',
  samlKeyDiffers: 'problem',
  samlPageAnswers: 'fact',
  samlPageUnreachable: 'problem',
  testAccepted: 'fact',
  testProfile: 'fact',
  testNoEmail: 'fact',
  testLasts: 'fact',
  testKnownUser: 'fact',
  testNewUser: 'fact',
  testDisabledUser: 'problem',
  testNoUser: 'problem',
  testNameTaken: 'problem',
  testUnfit: 'problem',
  testNoSubject: 'problem',
  testOutside: 'problem',
  testRefused: 'problem',
  addressOff: 'off',
  address: 'fact',
  addressUnencrypted: 'problem',
  proxyNotTrusted: 'problem',
  addressAnswers: 'fact',
  addressIsOther: 'problem',
  addressUnreachable: 'problem',
  certificateUntrusted: 'problem',
  certificateValid: 'fact',
  certificateEnds: 'problem',
  backupNever: 'off',
  backupMade: 'fact',
  backupOld: 'problem',
  backupDamaged: 'problem',
  backupOfFilesOnly: 'fact',
  verifiedNever: 'fact',
  verified: 'fact',
  verifiedWithFaults: 'problem',
  filesInFolder: 'fact',
  filesInBucket: 'fact',
  filesFree: 'fact',
  filesAlmostFull: 'problem',
  filesAway: 'problem',
  filesWork: 'fact',
  filesMissing: 'problem',
  databaseEmbedded: 'fact',
  databaseOwn: 'fact',
  databaseVersion: 'fact',
  databaseFast: 'fact',
  databaseSlow: 'problem',
  databaseAway: 'problem',
  licenseNone: 'fact',
  licenseValid: 'fact',
  licenseEnds: 'problem',
  licenseEnded: 'problem',
  licenseMissing: 'problem',
  metricsOff: 'off',
  metricsOn: 'fact',
  metricsOpen: 'problem',
  tracesOn: 'fact',
  version: 'fact',
  otherVersions: 'problem',
  tooSlow: 'problem',
} as const;
export type FindingCode = keyof typeof FINDINGS;

const isCode = (text: string): text is FindingCode => text in FINDINGS;
const FindingCode = Type.Unsafe<FindingCode>(
  Type.Union(
    Object.keys(FINDINGS)
      .filter(isCode)
      .map((code) => Type.Literal(code)),
  ),
);

export const Finding = closed({
  Code: FindingCode,
  /** Values of the sentence: names, addresses, times, and reasons that another program gave. Never secrets. */
  Values: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()])),
});
export type Finding = Static<typeof Finding>;

const SetupState = Type.Union([Type.Literal('Good'), Type.Literal('Attention'), Type.Literal('Off')]);
export type SetupState = Static<typeof SetupState>;

export const isProblem = ({ Code }: Pick<Finding, 'Code'>): boolean => FINDINGS[Code] === 'problem';

/** Off: the part is not set up. */
export function setupState(findings: readonly Pick<Finding, 'Code'>[]): SetupState {
  if (findings.some(isProblem)) return 'Attention';
  return findings.some(({ Code }) => FINDINGS[Code] === 'off') ? 'Off' : 'Good';
}

export const SetupSetting = closed({
  /** Name of the environment variable, and of the field in the configuration file. */
  Variable: Type.String(),
  Field: Type.String(),
  IsSecret: Type.Boolean(),
  /** True if it differs from the default. */
  IsSet: Type.Boolean(),
  /** Null for a secret, which is never shown. */
  Value: nullable(Type.String()),
  /** A line for the environment: with the value, or with an example. */
  Line: Type.String(),
});
export type SetupSetting = Static<typeof SetupSetting>;

export const SetupItem = closed({
  Key: SetupKey,
  State: SetupState,
  Findings: Type.Array(Finding),
  Settings: Type.Array(SetupSetting),
  /** Commands for the machine of the server. */
  Commands: Type.Array(Type.String()),
  /** What can be checked: '' for the part as a whole, else the name of a directory or provider, such as oidc:corp. */
  Checks: Type.Array(Type.String()),
});
export type SetupItem = Static<typeof SetupItem>;

export const setupItems = get('/api/admin/setup', {
  access: userAdmin,
  summary: 'Get the setup of the server that answers: parts with their state and settings, without secrets',
  parts: { result: closed({ Items: Type.Array(SetupItem) }) },
});

const SetupCheck = closed({ State: SetupState, Findings: Type.Array(Finding) });
export type SetupCheck = Static<typeof SetupCheck>;

/** Longest time of a check in seconds. */
export const CHECK_SECONDS = 15;

export const checkSetup = post('/api/admin/setup/check', {
  access: userAdmin,
  summary: 'Check whether a part of the setup works; takes a few seconds at most',
  parts: {
    body: closed({
      Key: SetupKey,
      /** One of Checks. */
      Name: Type.String({ maxLength: 60 }),
      /** Name of a person to look up in a directory; ignored by other checks. */
      Person: Type.Optional(Type.String({ maxLength: 256 })),
    }),
    result: SetupCheck,
  },
});

export const sendTestMail = post('/api/admin/setup/testMail', {
  access: userAdmin,
  summary: 'Send a test email with the server’s settings, and return the response of the mail server',
  parts: { body: closed({ To: Type.String({ minLength: 3, maxLength: 256 }) }), result: SetupCheck },
});

const PROVIDER_NAME_MAX = 60;

export const beginSignInTest = post('/api/admin/setup/signInTest', {
  access: userAdmin,
  sessionOnly: true,
  summary: 'Start a test of the sign-in at a provider; returns the address to open. Nobody is signed in',
  parts: {
    body: closed({
      /** Whole name of the provider, such as saml2:corp. */
      Name: Type.String({ pattern: '^(saml2|oidc):', maxLength: PROVIDER_NAME_MAX }),
      /** The path of the portal to return to, with its query. */
      Path: Type.String({ maxLength: 2000 }),
    }),
    result: closed({
      Path: Type.String(),
      /** The address of the portal that the provider must know, for its settings. */
      ReturnAddress: Type.String(),
    }),
  },
});

/** What the provider says about a person: names and values, as they arrived. */
const Claim = closed({ Name: Type.String(), Values: Type.Array(Type.String()) });
export type Claim = Static<typeof Claim>;

export const SignInTest = closed({ ...SetupCheck.properties, Claims: Type.Array(Claim) });
export type SignInTest = Static<typeof SignInTest>;

export const signInTestResult = post('/api/admin/setup/signInTestResult', {
  access: userAdmin,
  sessionOnly: true,
  summary: 'Get the result of a sign-in test by its one-time token; only for the administrator who started the test',
  parts: { body: closed({ Ott }), result: SignInTest },
});
