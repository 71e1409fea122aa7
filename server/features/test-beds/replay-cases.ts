/**
 * Calculates the cases of an activity with one of its versions, or with a workbook that is about to become one. Nothing
 * outside is changed.
 */
import type { ModelState } from '#server/base/app-error.ts';
import { VERSION } from '#server/base/version.ts';
import type { ActivityDefinition } from '#server/executors/activity-definition.ts';
import type { Executor, RunLogLine, RunRequest } from '#server/executors/executor.ts';
import { createConcurrencyLimit } from '#server/background/concurrency-limit.ts';
import { checkStartInputs } from '#server/queue/start-inputs.ts';
import { isSkippedInTrial, trialObstacle } from '#server/versions/triable.ts';
import { nameKey } from '#server/versions/version-catalog.ts';
import type { RunInputValue } from '#shared/contract/parameters.ts';
import {
  TEST_DIFFERENCES_MAX,
  type CaseResult,
  type CellDifference,
  type PropertyCheck,
  type TestCaseContent,
} from '#shared/contract/test-beds.ts';
import { compareOutput, type ActualOutput } from './compare-outputs.ts';
import { runCheck } from './property-checks.ts';
import { openInput } from '#shared/rules/open-input.ts';

/** The version or workbook that cases are replayed with. */
export interface Candidate {
  /** Null for a workbook that is not a version yet. */
  Version: number | null;
  versionKey: string;
  definition: ActivityDefinition;
  fileName: string;
  readWorkbook: RunRequest['readWorkbook'];
  /** Preset values by the key of the input's name. */
  presets: ReadonlyMap<string, string>;
}

export interface Replayer {
  /** Returns the results in the order of the cases. Rejects with the reason of `signal`. */
  replay(
    candidate: Candidate,
    cases: readonly TestCaseContent[],
    checks: readonly PropertyCheck[],
    signal: AbortSignal,
  ): Promise<CaseResult[]>;
}

export interface ReplayerDeps {
  executor: Pick<Executor, 'run'>;
  isLicensed: () => Promise<boolean>;
  /** Maximum duration in milliseconds: of one case, and of all cases of an activity. */
  limits?: { one: number; all: number };
}

const LIMITS = { one: 60_000, all: 300_000 };
/** Maximum number of concurrent replays, in addition to people's runs. */
const REPLAY_CONCURRENCY = 2;
const MESSAGES_MAX = 20;

export function createReplayer({ executor, isLicensed, limits = LIMITS }: ReplayerDeps): Replayer {
  const limited = createConcurrencyLimit(REPLAY_CONCURRENCY);
  return {
    replay: async (candidate, cases, checks, signal) => {
      const until = performance.now() + limits.all;
      const obstacle = (await isLicensed())
        ? trialObstacle(candidate.definition)
        : 'Without a valid license nothing is calculated';
      return Promise.all(
        cases.map((one) =>
          limited(async () => {
            signal.throwIfAborted();
            const left = until - performance.now();
            if (obstacle !== null) return notReplayed(candidate, [obstacle]);
            if (left <= 0) return notReplayed(candidate, [`The cases took longer than ${limits.all / 1000} seconds`]);
            return replayOne(executor, candidate, { one, checks, timeLimit: Math.min(left, limits.one), signal });
          }),
        ),
      );
    },
  };
}

interface Replay {
  one: TestCaseContent;
  checks: readonly PropertyCheck[];
  timeLimit: number;
  signal: AbortSignal;
}

async function replayOne(
  executor: ReplayerDeps['executor'],
  candidate: Candidate,
  { one, checks, timeLimit, signal }: Replay,
): Promise<CaseResult> {
  const { definition, versionKey, fileName, readWorkbook } = candidate;
  const prepared = inputsOf(candidate, one);
  if (prepared.messages.length > 0) return resultOf(candidate, { Outcome: 'Failed', Messages: prepared.messages });
  const lines: RunLogLine[] = [];
  const { status, outputs } = await executor.run({
    versionKey,
    definition: { ...definition, steps: definition.steps.filter((step) => !isSkippedInTrial(step)) },
    fileName,
    readWorkbook,
    inputs: prepared.inputs,
    timeLimit,
    signal,
    onLog: (line) => lines.push(line),
    onProgress: () => {},
  });
  if (status !== one.Status) {
    const Differences = [{ Output: '', Cell: '', Expected: one.Status, Actual: status }];
    return resultOf(candidate, { Outcome: 'Failed', Messages: lines.map(({ Message }) => Message), Differences });
  }
  const values = new Map(outputs.map(({ Name, Value }) => [Name, Value]));
  const actualOutputs = definition.outputs.map(({ Name, Info }): ActualOutput => ({
    Name,
    columns: Info.ColumnHeaderValues,
    Value: values.get(Name) ?? null,
  }));
  const Differences = one.Expected.flatMap((expected) =>
    compareOutput(
      expected,
      actualOutputs.find(({ Name }) => nameKey(Name) === nameKey(expected.Name)),
    ),
  );
  // A case that was expected to fail has no outputs to check.
  const Checks = status.startsWith('Succeeded') ? checks.map((check) => runCheck(check, actualOutputs)) : [];
  const isPassed = Differences.length === 0 && Checks.every(({ Holds }) => Holds);
  return resultOf(candidate, { Outcome: isPassed ? 'Passed' : 'Failed', Differences, Checks });
}

interface Found {
  Outcome: CaseResult['Outcome'];
  Messages?: string[];
  Differences?: CellDifference[];
  Checks?: CaseResult['Checks'];
}

function resultOf(
  { Version, definition }: Candidate,
  { Outcome, Messages = [], Differences = [], Checks = [] }: Found,
): CaseResult {
  return {
    Outcome,
    Version,
    Engine: definition.engine ?? 'runsheet',
    Program: VERSION,
    Messages: Messages.slice(0, MESSAGES_MAX),
    Differences: Differences.slice(0, TEST_DIFFERENCES_MAX),
    DifferenceCount: Differences.length,
    Checks,
  };
}

const notReplayed = (candidate: Candidate, Messages: string[]): CaseResult =>
  resultOf(candidate, { Outcome: 'NotReplayed', Messages });

/** Returns what a start would reject of a case's values, by input name. */
export const refusedValues = (
  candidate: Pick<Candidate, 'definition' | 'presets'>,
  content: TestCaseContent,
): ModelState => inputsOf(candidate, content).refused;

/** Checks the values by the rules of a start, as if a person sent them. */
function inputsOf(
  { definition, presets }: Pick<Candidate, 'definition' | 'presets'>,
  { Inputs }: TestCaseContent,
): { messages: string[]; refused: ModelState; inputs: RunRequest['inputs'] } {
  const inputs = definition.inputs.map(({ Name, Description, Info }, at) =>
    openInput({ Id: at + 1, Name, Description, PresetValue: presets.get(nameKey(Name)) ?? null, Info }),
  );
  const messages: string[] = [];
  const sent: RunInputValue[] = [];
  for (const { Name, Value, UseDefault } of Inputs) {
    const input = inputs.find((one) => nameKey(one.Name) === nameKey(Name));
    if (input) sent.push({ ActivityParameterId: input.Id, Value, UseDefault });
    else messages.push(`There is no input ${Name}`);
  }
  const lists = new Map(definition.inputs.map(({ pickerItems }, at) => [at + 1, pickerItems]));
  const owner = { userId: 0, allowedFiles: new Set<string>() };
  const { modelState, rows } = checkStartInputs({ inputs, sent, lists, refused: new Map(), files: new Map(), owner });
  for (const [name, texts] of Object.entries(modelState)) messages.push(`${name}: ${texts.join(' ')}`);
  return {
    messages,
    refused: modelState,
    inputs: inputs.map(({ Id, Name, Info }) => {
      const row = rows.find(({ ActivityParameterId }) => ActivityParameterId === Id);
      // There is no run whose id an input could contain.
      return { Name, value: Info.CellUsages[0] === 'ActivityRunId' ? '0' : (row?.Value ?? null), files: [] };
    }),
  };
}
