/** How the answering server is set up, and checks of its parts. */
import {
  CHECK_SECONDS,
  setupState,
  type Finding,
  type SetupCheck,
  type SetupItem,
  type SetupKey,
} from '#shared/contract/setup.ts';
import { AppError } from '#server/base/app-error.ts';
import type { Person } from '#server/base/person.ts';
import { checkAddress } from './check-address.ts';
import { sendTestMail } from './check-mail.ts';
import { checkSignIn, type SignInCheck } from './check-sign-in.ts';
import { checkDatabase, checkFiles } from './check-storage.ts';
import { finding, reasonOf, within } from './finding.ts';
import type { SetupDeps } from './setup-deps.ts';
import { FACTS, providerNames, type CallFacts } from './setup-facts.ts';
import { setupSettings } from './setup-settings.ts';

export interface SetupService {
  items(call: CallFacts): Promise<SetupItem[]>;
  /** Throws an AppError 404 if there is no such check. Takes at most CHECK_SECONDS. */
  check(key: SetupKey, of: SignInCheck): Promise<SetupCheck>;
  /**
   * Sends a mail in the language of the sender. Throws an AppError 400 if `to` is not an address. Takes at most
   * CHECK_SECONDS.
   */
  testMail(to: string, sender: Person): Promise<SetupCheck>;
}

const KEYS: readonly SetupKey[] = [
  'mail',
  'signIn',
  'address',
  'backup',
  'files',
  'database',
  'license',
  'metrics',
  'versions',
];

const COMMANDS: Partial<Record<SetupKey, readonly string[]>> = {
  backup: ['npm run backup -- /srv/backups --keep 14', 'npm run verify-data', 'npm run verify-data -- --read'],
};

/** Facts are quick; this is for a database or a share that has just stopped to answer. */
const FACTS_SECONDS = 3;

type Check = (deps: SetupDeps, of: SignInCheck, signal: AbortSignal) => Promise<Finding[]>;

const CHECKS: Partial<Record<SetupKey, Check>> = {
  signIn: checkSignIn,
  address: (deps, _of, signal) => checkAddress(deps, signal),
  files: (deps, _of, signal) => checkFiles(deps, signal),
  database: (deps) => checkDatabase(deps),
};

export function createSetupService(deps: SetupDeps): SetupService {
  /** Checks in progress by name: impatient people share one. */
  const running = new Map<string, Promise<SetupCheck>>();

  const factsOf = async (key: SetupKey, call: CallFacts): Promise<Finding[]> => {
    try {
      return await within(FACTS_SECONDS, Promise.resolve(FACTS[key](deps, call)));
    } catch (error) {
      // One part must not hide the others. All that can fail here is the database.
      return [finding('databaseAway', { reason: reasonOf(error) })];
    }
  };

  const itemOf = async (Key: SetupKey, call: CallFacts): Promise<SetupItem> => {
    const Findings = await factsOf(Key, call);
    const Checks = Key === 'signIn' ? providerNames(deps.sources) : CHECKS[Key] ? [''] : [];
    const Settings = setupSettings(deps.config, Key);
    const Commands = [...(COMMANDS[Key] ?? [])];
    return { Key, State: setupState(Findings), Findings, Settings, Commands, Checks };
  };

  return {
    items: (call) => Promise.all(KEYS.map((key) => itemOf(key, call))),
    check: async (key, of) => {
      const check = CHECKS[key];
      if (!check || (key !== 'signIn' && of.name !== ''))
        throw new AppError('noSuchCheck', 404, 'There is no such check');
      const id = JSON.stringify([key, of.name, of.person]);
      const known = running.get(id);
      if (known) return known;
      const started = limited((signal) => check(deps, of, signal)).finally(() => running.delete(id));
      running.set(id, started);
      return started;
    },
    testMail: async (to, sender) => {
      const { Language } = await deps.users.screenChoicesOf(sender);
      return limited((signal) => sendTestMail(deps, { to, language: Language }, signal));
    },
  };
}

async function limited(work: (signal: AbortSignal) => Promise<Finding[]>): Promise<SetupCheck> {
  const limit = AbortSignal.timeout(CHECK_SECONDS * 1000);
  const findings = within(CHECK_SECONDS, work(limit)).catch((error: unknown) => {
    if (limit.aborted) return [finding('tooSlow', { seconds: CHECK_SECONDS })];
    throw error;
  });
  const Findings = await findings;
  return { State: setupState(Findings), Findings };
}
