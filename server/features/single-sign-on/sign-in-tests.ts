/** Test sign-ins of administrators: to the provider and back like any other, but without a user and a session. */
import type { SignInTest } from '#shared/contract/setup.ts';
import { ownPath } from '#shared/rules/own-path.ts';
import { AppError } from '#server/base/app-error.ts';
import type { Log } from '#server/base/log.ts';
import type { Person } from '#server/base/person.ts';
import type { Database } from '#server/db/database.ts';
import { acceptedTest, refusalReason, refusedTest, testState } from './sign-in-test.ts';
import type { SsoAdmissionDeps } from './sso-admission.ts';
import { ssoRefusal } from './sso-failures.ts';
import type { SsoCallback, SsoProof, SsoProvider } from './sso-provider.ts';
import type { SsoProviders } from './sso-providers.ts';
import * as repository from './sso-repository.ts';
import { hashToken, randomToken, REQUEST_SECONDS, TICKET_SECONDS } from './sso-tokens.ts';

interface SignInTestsDeps extends SsoAdmissionDeps {
  database: Pick<Database, 'knex'>;
  log: Log;
  providers: SsoProviders;
}

/** A response to a request that began as a test. */
interface TestAnswer {
  base: string;
  callback: SsoCallback;
  proof: SsoProof;
  request: repository.SsoRequestRow;
  /** Of the browser. */
  address: string;
}

export function createSignInTests(deps: SignInTestsDeps) {
  const { log, providers } = deps;
  const { knex } = deps.database;

  async function begin(
    person: Person,
    name: string,
    { base, path, binding }: { base: string; path: string; binding: string },
  ): Promise<{ Path: string; ReturnAddress: string }> {
    const provider = providers.named(name);
    const state = testState();
    const { url, proof } = await provider.begin(base, state, false).catch((cause: unknown) => {
      const text = `The sign-in provider cannot be reached: ${refusalReason(cause)}`;
      throw new AppError('sso_unreachable', 502, text, { cause });
    });
    await repository.deleteExpiredSignOns(knex);
    const Proof = JSON.stringify({ ...proof, tester: String(person.UserId) });
    const row = { StateHash: hashToken(state), Provider: name, BindingHash: binding, Path: ownPath(path), Proof };
    await repository.insertRequest(knex, row, REQUEST_SECONDS);
    return { Path: url, ReturnAddress: provider.returnAddress(base) };
  }

  /** Returns a one-time token for the report, also of a refusal, and the path to open. */
  async function finish(provider: SsoProvider, answer: TestAnswer): Promise<{ ott: string; path: string }> {
    const report = await reportOf(provider, answer);
    const ott = randomToken();
    const { BindingHash, Path } = answer.request;
    const UserId = Number(answer.proof['tester']);
    const row = { TokenHash: hashToken(ott), BindingHash, UserId, Report: JSON.stringify(report) };
    await repository.insertTest(knex, row, TICKET_SECONDS);
    return { ott, path: Path };
  }

  async function reportOf(provider: SsoProvider, { base, callback, proof, address }: TestAnswer): Promise<SignInTest> {
    const answer = await provider.finish(base, callback, proof).catch((err: unknown) => {
      log.warn({ err, provider: provider.name }, 'rejected the answer of a sign-in provider in a test');
      return refusedTest(err);
    });
    return 'Findings' in answer ? answer : acceptedTest(deps, provider, answer, address);
  }

  async function result(
    { UserId }: Person,
    { ott, binding }: { ott: string; binding: string | null },
  ): Promise<SignInTest> {
    const key = { TokenHash: hashToken(ott), BindingHash: binding ?? '', UserId };
    const text = binding === null ? undefined : await repository.takeTest(knex, key);
    if (text === undefined) throw ssoRefusal('expired');
    return JSON.parse(text) as SignInTest;
  }

  return { begin, finish, result };
}
