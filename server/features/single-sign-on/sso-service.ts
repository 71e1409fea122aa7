/** Single sign-on: sends browsers to a provider, checks its responses, and starts sessions from them. */
import type { SignInTest } from '#shared/contract/setup.ts';
import { ownPath } from '#shared/rules/own-path.ts';
import type { Database } from '#server/db/database.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Log } from '#server/base/log.ts';
import type { Person } from '#server/base/person.ts';
import type { SessionsService } from '#server/features/sessions/sessions-service.ts';
import { failedSince, type SignedIn } from '#server/access/sign-in/signed-in.ts';
import type { UsersService } from '#server/features/users/users-service.ts';
import { freshState, proveFresh, requireFresh, takeOtt } from './fresh-sign-in.ts';
import { createSignInTests } from './sign-in-tests.ts';
import { createSsoAdmission, type SsoAdmissionDeps } from './sso-admission.ts';
import { reach, ssoRefusal } from './sso-failures.ts';
import type { SsoAnswer, SsoCallback, SsoLogoutContext, SsoProof, SsoProvider } from './sso-provider.ts';
import type { SsoProviders } from './sso-providers.ts';
import * as repository from './sso-repository.ts';
import { hashToken, randomToken, REQUEST_SECONDS, TICKET_SECONDS } from './sso-tokens.ts';

export interface SsoSignedIn extends SignedIn {
  UserName: string;
  ssoProvider: string;
  ssoExpiry: Date | null;
}

export interface SsoService {
  /** Returns where to send the browser. Throws an AppError 502 if the provider is not reachable. */
  begin(name: string, request: { base: string; path: string; binding: string; fresh: boolean }): Promise<string>;
  /**
   * Returns a one-time token for the person named in the provider's response, and the path to open. Throws an AppError
   * with a text of sso-failures.ts.
   */
  finish(
    provider: SsoProvider,
    answer: { base: string; state: string; query: string; form: string; address: string },
  ): Promise<{ ott: string; path: string }>;
  /** Starts a session for a one-time token. It works once, and only in the browser that began the sign-in. */
  redeem(attempt: { ott: string; binding: string | null; address: string; client: string }): Promise<SsoSignedIn>;
  /**
   * Returns what the person proved at the provider in this browser within the last minutes. Throws an AppError 400 if
   * they did not.
   */
  prove(person: Person, attempt: { ott: string; binding: string | null }): Promise<repository.SsoSessionRow>;
  /**
   * Begins a sign-in that only reports what the provider says. Throws an AppError 404 if there is no such provider, 502
   * with the reason if it is not reachable.
   */
  beginTest(
    person: Person,
    name: string,
    request: { base: string; path: string; binding: string },
  ): Promise<{ Path: string; ReturnAddress: string }>;
  /** Returns the report of a test to the person who began it, once and in the same browser. Throws an AppError 400. */
  testResult(person: Person, attempt: { ott: string; binding: string | null }): Promise<SignInTest>;
  /** Records a message's id. Returns false if it was used before. */
  useOnce(id: string, seconds: number): Promise<boolean>;
}

export interface SsoDeps extends SsoAdmissionDeps {
  database: Pick<Database, 'knex'>;
  log: Log;
  users: UsersService;
  sessions: SessionsService;
  providers: SsoProviders;
}

export function createSsoService(deps: SsoDeps): SsoService {
  const { log, users, sessions, providers } = deps;
  const { knex } = deps.database;
  const useOnce = (id: string, seconds: number) => repository.insertUsedAssertion(knex, hashToken(id), seconds);

  const { requireEntry, admit } = createSsoAdmission(deps);
  const tests = createSignInTests(deps);

  return {
    begin: async (name, { base, path, binding, fresh }) => {
      const provider = providers.named(name);
      const state = fresh ? freshState() : randomToken();
      const { url, proof } = await reach(provider, log, () => provider.begin(base, state, fresh));
      if (fresh) proof['begun'] = String(Date.now());
      await repository.deleteExpiredSignOns(knex);
      const row = { StateHash: hashToken(state), Provider: name, BindingHash: binding, Path: ownPath(path) };
      await repository.insertRequest(knex, { ...row, Proof: JSON.stringify(proof) }, REQUEST_SECONDS);
      return url;
    },
    finish: async (provider, { base, state, query, form, address }) => {
      const request = await repository.takeRequest(knex, hashToken(state), provider.name);
      if (!request) throw ssoRefusal('expired');
      const proof = JSON.parse(request.Proof) as SsoProof;
      const callback = { query, form, useOnce };
      if (proof['tester'] !== undefined) return tests.finish(provider, { base, callback, proof, request, address });
      const answer = await ask(log, provider, { base, callback, proof });
      const user = await admit(provider, answer.identity, address);
      const ott = randomToken();
      const logoutContext: SsoLogoutContext = proof['begun']
        ? { ...answer.logoutContext, fresh: 'yes' }
        : answer.logoutContext;
      const from = { OttHash: hashToken(ott), BindingHash: request.BindingHash, UserId: user.UserId };
      const ticket = { ...from, ...partOf(provider, answer), Encrypted: providers.encrypt(provider, logoutContext) };
      await repository.insertTicket(knex, ticket, { ticket: TICKET_SECONDS, session: answer.expiresIn });
      return { ott, path: request.Path };
    },
    redeem: async ({ ott, binding, address, client }) => {
      const ticket = await takeOtt(knex, ott, binding);
      const user = await requireEntry(await users.findById(ticket.UserId), address);
      const issued = await inTransaction(knex, async (trx) => {
        await users.recordLogin(user.UserId, trx);
        const started = await sessions.start(trx, user.UserId, address, client);
        await repository.insertSsoSession(trx, started.SessionId, ticket);
        return started;
      });
      const { Provider: ssoProvider, SsoExpiry: ssoExpiry } = ticket;
      const last = { lastLoginTime: user.LastLoginTime, lastFailedLoginTime: failedSince(user) };
      return { ...issued, ...last, UserName: user.UserName, ssoProvider, ssoExpiry };
    },
    beginTest: tests.begin,
    testResult: tests.result,
    prove: (person, attempt) => proveFresh(knex, providers, person, attempt),
    useOnce,
  };
}

async function ask(
  log: Log,
  provider: SsoProvider,
  { base, callback, proof }: { base: string; callback: SsoCallback; proof: SsoProof },
): Promise<SsoAnswer> {
  try {
    const answer = await provider.finish(base, callback, proof);
    requireFresh(answer, proof);
    return answer;
  } catch (err) {
    log.warn({ err, provider: provider.name }, 'rejected the answer of a sign-in provider');
    throw ssoRefusal('failed', err);
  }
}

/** Returns the keys with which a provider may end the session. */
const partOf = ({ name }: SsoProvider, { sessionSubject, sessionIndex }: SsoAnswer) => ({
  Provider: name,
  SubjectHash: hashToken(sessionSubject),
  IndexHash: hashToken(sessionIndex),
});
