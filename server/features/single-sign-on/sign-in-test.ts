/** What administrators learn from a test of a sign-in: what the provider said, and which user that would be. */
import { setupState, type Claim, type Finding, type FindingCode, type SignInTest } from '#shared/contract/setup.ts';
import { EMAIL_MAX, isMailAddress } from '#shared/rules/user-rules.ts';
import { fullName } from '#server/base/full-name.ts';
import type { Foreseen } from '#server/features/users/external-users-service.ts';
import type { SsoAdmissionDeps } from './sso-admission.ts';
import type { SsoAnswer, SsoClaim, SsoIdentity, SsoProvider } from './sso-provider.ts';
import { randomToken } from './sso-tokens.ts';

/** Prefix of the state of a test. Its response always goes to a separate page. */
const TEST_STATE = 'test.';
const MAX_CLAIMS = 60;
const MAX_VALUES = 20;
const MAX_TEXT_LENGTH = 200;
const MAX_REASON_LENGTH = 300;

export const testState = (): string => TEST_STATE + randomToken();

export const isTestState = (state: string): boolean => state.startsWith(TEST_STATE);

const finding = (Code: FindingCode, Values: Finding['Values'] = {}): Finding => ({ Code, Values });

const cut = (text: string): string => text.slice(0, MAX_TEXT_LENGTH);

/** Says why the portal refuses the provider's response. */
export function refusedTest(error: unknown): SignInTest {
  const Findings = [finding('testRefused', { reason: refusalReason(error) })];
  return { State: setupState(Findings), Findings, Claims: [] };
}

/** Libraries put what the provider said into fields of their errors, and what they found into the causes. */
export function refusalReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error).slice(0, MAX_REASON_LENGTH);
  const parts = [error.message];
  for (const name of ['error', 'error_description']) {
    const part: unknown = Reflect.get(error, name);
    if (typeof part === 'string') parts.push(part);
  }
  if (error.cause instanceof Error) parts.push(refusalReason(error.cause));
  return [...new Set(parts)].join(': ').replaceAll(/\s+/g, ' ').slice(0, MAX_REASON_LENGTH);
}

/** Says which user the person would be, without changing anything. @param address of the browser */
export async function acceptedTest(
  { externalUsers, networkPolicy }: SsoAdmissionDeps,
  provider: SsoProvider,
  { identity, claims, expiresIn }: SsoAnswer,
  address: string,
): Promise<SignInTest> {
  const { subject, ...profile } = identity;
  const source = { Source: 'SSO' as const, SourceName: provider.name, SourceUserName: subject, SourceInfo: '' };
  const foreseen = await externalUsers.foresee({ ...source, ...profile }, { create: provider.createUsers });
  const outside =
    foreseen.kind === 'known' && !(await networkPolicy.mayEnter(foreseen.user, address))
      ? [finding('testOutside', { user: foreseen.user.UserName, address })]
      : [];
  const Findings = [
    ...(subject === '' ? [] : [finding('testAccepted', { subject: cut(subject) })]),
    ...profileFindings(identity),
    userFinding(foreseen, provider, subject),
    ...outside,
    finding('testLasts', { minutes: Math.floor(expiresIn / 60) }),
  ];
  return { State: setupState(Findings), Findings, Claims: shownClaims(claims) };
}

function profileFindings({ UserName, FirstName, LastName, Email }: SsoIdentity): Finding[] {
  const email = isMailAddress(Email.trim().slice(0, EMAIL_MAX)) ? Email.trim() : '';
  const values = { name: cut(UserName), fullName: cut(`${FirstName} ${LastName}`.trim()), email };
  const shown = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value || '–']));
  const profile = finding('testProfile', shown);
  return email === '' ? [profile, finding('testNoEmail')] : [profile];
}

function userFinding(foreseen: Foreseen, { name: source }: SsoProvider, subject: string): Finding {
  switch (foreseen.kind) {
    case 'known': {
      const { UserName: user, Enabled } = foreseen.user;
      return Enabled
        ? finding('testKnownUser', { user, fullName: fullName(foreseen.user) })
        : finding('testDisabledUser', { user });
    }
    case 'new':
      return finding('testNewUser', { user: foreseen.UserName });
    case 'nameTaken':
      return finding('testNameTaken', { user: foreseen.UserName, source });
    case 'unfit':
      return finding('testUnfit', { reason: foreseen.issues.join('. ') });
    case 'unknown':
      return finding('testNoUser', { source, subject: cut(subject) });
    case 'noSubject':
      return finding('testNoSubject');
  }
}

const shownClaims = (claims: readonly SsoClaim[]): Claim[] =>
  claims
    .slice(0, MAX_CLAIMS)
    .map(({ Name, Values }) => ({ Name: cut(Name), Values: Values.slice(0, MAX_VALUES).map(cut) }));
