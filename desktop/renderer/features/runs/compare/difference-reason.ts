/** Explains why the outputs of runs differ, as far as the runs themselves show it. */
import type { ActivityRun } from '#shared/contract/runs.ts';
import { parseReadLine } from '#shared/codecs/read-mark.ts';
import { LogCode } from '#shared/rules/log-codes.ts';
import { wholeSpecification } from '#shared/codecs/input-form.ts';
import { listText } from '#renderer/language/numbers.ts';
import { t } from '#renderer/language/translate.ts';
import type { ComparedValue } from './compare-runs.ts';
import { takenValue } from './input-value.ts';

const NAMED = 5;

interface Compared {
  inputs: readonly Pick<ComparedValue, 'name' | 'differs'>[];
  outputs: readonly Pick<ComparedValue, 'differs'>[];
}

type ComparedRun = Pick<ActivityRun, 'ActivityId' | 'ActivityVersion' | 'Type' | 'Inputs'> & {
  LogEntries: readonly Pick<ActivityRun['LogEntries'][number], 'Message' | 'StatusCode'>[];
};

/** Returns null if no output differs. */
export function differenceReason(runs: readonly ComparedRun[], { inputs, outputs }: Compared): string | null {
  if (!outputs.some(({ differs }) => differs)) return null;
  const isSameActivity = new Set(runs.map(({ ActivityId }) => ActivityId)).size === 1;
  if (!isSameActivity) return t('The runs are of different activities.');
  const read = readSteps(runs);
  const changes = [inputText(inputs), hiddenText(runs), versionText(runs), readText(read)].filter(
    (text) => text !== null,
  );
  if (changes.length > 0)
    return t(
      'The outputs differ. Also different: {changes}. Data that the runs read themselves may have changed, too.',
      {
        changes: listText(changes),
      },
    );
  return read.length > 0
    ? t(
        'The inputs, the version, and the rows that the steps read are the same. The difference comes from the date, random numbers, or an answer that someone gave during a run.',
      )
    : t(
        'The inputs and the version are the same. The difference comes from what the runs read themselves, such as data from connections and folders, or the date.',
      );
}

/**
 * Returns the steps that read rows in every run, and whether they read different rows. Empty if the runs have different
 * versions.
 */
function readSteps(runs: readonly ComparedRun[]): { Step: string; differs: boolean }[] {
  if (new Set(runs.map(({ ActivityVersion }) => ActivityVersion)).size > 1) return [];
  const marks = runs.map(({ LogEntries }) => {
    const lines = LogEntries.filter(({ StatusCode }) => StatusCode === LogCode.StepDone);
    const readLines = lines.map(({ Message }) => parseReadLine(Message)).filter((mark) => mark !== null);
    return new Map(readLines.map(({ Step, mark }) => [Step, mark]));
  });
  const [first, ...others] = marks;
  return [...(first ?? [])]
    .filter(([Step]) => others.every((other) => other.has(Step)))
    .map(([Step, mark]) => ({ Step, differs: others.some((other) => other.get(Step) !== mark) }));
}

function readText(read: readonly { Step: string; differs: boolean }[]): string | null {
  const steps = read.filter(({ differs }) => differs).map(({ Step }) => Step);
  if (steps.length === 0) return null;
  const named = steps.slice(0, NAMED).join(', ');
  return steps.length > NAMED
    ? t('data read by the steps {named} and {count} more', { named, count: steps.length - NAMED })
    : t('{count, plural, one {data read by the step {named}} other {data read by the steps {named}}}', {
        named,
        count: steps.length,
      });
}

function inputText(inputs: Compared['inputs']): string | null {
  const names = inputs.filter(({ differs }) => differs).map(({ name }) => name);
  if (names.length === 0) return null;
  const named = names.slice(0, NAMED).join(', ');
  if (names.length === 1) return t('the input {named}', { named });
  return names.length > NAMED
    ? t('the inputs {named} and {count} more', { named, count: names.length - NAMED })
    : t('the inputs {named}', { named });
}

/** Hidden inputs are compared too, but the text reveals neither their names nor their values. */
function hiddenText(runs: readonly ComparedRun[]): string | null {
  const hidden = runs.map(({ Inputs, Type }) =>
    JSON.stringify(
      Inputs.filter(({ ParameterInfo }) => wholeSpecification(ParameterInfo) === 'Hidden')
        .toSorted((a, b) => a.ActivityParameterId - b.ActivityParameterId)
        .map((input) => [input.ActivityParameterId, takenValue(input, Type), input.FileId]),
    ),
  );
  return new Set(hidden).size === 1 ? null : t('hidden inputs');
}

function versionText(runs: readonly ComparedRun[]): string | null {
  const versions = [...new Set(runs.map(({ ActivityVersion }) => ActivityVersion))];
  return versions.length === 1 ? null : t('the versions ({versions})', { versions: versions.join(', ') });
}
