/** Tries a design: calculates the marked workbook with a person's values, as a run would, and stores nothing. */
import { AppError } from '#server/base/app-error.ts';
import type { Person } from '#server/base/person.ts';
import type { Executor, InputValue, RunLogLine } from '#server/executors/executor.ts';
import { createConcurrencyLimit } from '#server/background/concurrency-limit.ts';
import { isSkippedInTrial, trialObstacle } from '#server/versions/triable.ts';
import type { TriedDesign, tryDesign } from '#shared/contract/designs.ts';
import type { BodyOf } from '#shared/contract/endpoint.ts';
import { OUTCOME_TEXT } from '#shared/contract/run-status.ts';
import type { MarkedWorkbooks } from './marked-workbooks-service.ts';

export interface TryDeps {
  marked: Pick<MarkedWorkbooks, 'forTrying'>;
  executor: Pick<Executor, 'run'>;
  /** Trying a design requires a license, as running an activity does. */
  isLicensed: () => Promise<boolean>;
}

export type TryService = (
  person: Person,
  id: number,
  wanted: BodyOf<typeof tryDesign>,
  signal: AbortSignal,
) => Promise<TriedDesign>;

/** Short, because a person waits for the result. */
const TIME_LIMIT_MS = 60_000;
/** Maximum number of concurrent trials, in addition to the calculations of runs. Further trials wait. */
const MAX_CONCURRENT = 2;

export function createTryService({ marked, executor, isLicensed }: TryDeps): TryService {
  const limited = createConcurrencyLimit(MAX_CONCURRENT);
  return async (person, id, { Inputs: sent, Region }, signal) => {
    if (!(await isLicensed())) throw new AppError('notLicensed', 422, OUTCOME_TEXT.NotLicensed!);
    const { fileName, bytes, inspection, key } = await marked.forTrying(person, id, Region, signal);
    const { definition, problems } = inspection;
    const [first] = problems;
    if (!definition)
      throw new AppError('workbookFaults', 422, first ? `${first.Message} ${first.Remedy}` : 'Nothing is marked yet');
    const obstacle = trialObstacle(definition);
    if (obstacle !== null) throw new AppError('tryImpossible', 422, obstacle);
    const values = new Map(sent.map(({ Name, Value }) => [Name.toLowerCase(), Value]));
    const unknown = sent.find(
      ({ Name }) => !definition.inputs.some((input) => input.Name.toLowerCase() === Name.toLowerCase()),
    );
    if (unknown) throw new AppError('invalid_request', 400, `There is no input '${unknown.Name}'`);
    const inputs: InputValue[] = definition.inputs.map(({ Name }) => ({
      Name,
      value: values.get(Name.toLowerCase()) ?? null,
      files: [],
    }));
    const lines: RunLogLine[] = [];
    const { status, outputs } = await limited(() => {
      signal.throwIfAborted();
      return executor.run({
        versionKey: key,
        definition: { ...definition, steps: definition.steps.filter((step) => !isSkippedInTrial(step)) },
        fileName,
        readWorkbook: () => Promise.resolve(Uint8Array.from(bytes)),
        inputs,
        timeLimit: TIME_LIMIT_MS,
        signal,
        onLog: (line) => lines.push(line),
        onProgress: () => {},
      });
    });
    const results = new Map(outputs.map(({ Name, Value }) => [Name, Value]));
    return {
      HasSucceeded: status === 'Succeeded' || status === 'SucceededWarn',
      Messages: lines.map(({ Message }) => Message),
      Outputs: definition.outputs.map(({ Name, Description, Info }) => ({
        Name,
        Description,
        Info,
        Value: results.get(Name) ?? null,
      })),
    };
  };
}
