/** Why the outputs of runs differ, as far as the runs themselves tell. */
import type { ActivityRun } from '#shared/contract/runs.ts';
import { wholeSpecification } from '#shared/codecs/input-form.ts';
import type { ComparedValue } from './compare-runs.ts';

const NAMED = 5;

interface Compared {
  inputs: readonly Pick<ComparedValue, 'name' | 'differs'>[];
  outputs: readonly Pick<ComparedValue, 'differs'>[];
}

type Told = Pick<ActivityRun, 'ActivityId' | 'ActivityVersion' | 'Inputs'>;

/** Null where no output differs. */
export function whyDifferent(runs: readonly Told[], { inputs, outputs }: Compared): string | null {
  if (!outputs.some(({ differs }) => differs)) return null;
  const isSameActivity = new Set(runs.map(({ ActivityId }) => ActivityId)).size === 1;
  if (!isSameActivity) return 'The runs are of different activities.';
  const changes = [inputText(inputs), hiddenText(runs), versionText(runs)].filter((text) => text !== null);
  if (changes.length === 0)
    return 'Inputs and version are the same: what the runs read by themselves has changed, such as data of connections and folders, or the day.';
  const last = changes.pop()!;
  const list = changes.length === 0 ? last : `${changes.join(', ')} and ${last}`;
  return `The outputs differ, and so do ${list}. What the runs read by themselves may have changed, too.`;
}

function inputText(inputs: Compared['inputs']): string | null {
  const names = inputs.filter(({ differs }) => differs).map(({ name }) => name);
  if (names.length === 0) return null;
  const more = names.length > NAMED ? ` and ${names.length - NAMED} more` : '';
  return `the ${names.length === 1 ? 'input' : 'inputs'} ${names.slice(0, NAMED).join(', ')}${more}`;
}

/** Inputs that are not shown are compared, but neither their names nor their values are. */
function hiddenText(runs: readonly Told[]): string | null {
  const hidden = runs.map(({ Inputs }) =>
    JSON.stringify(
      Inputs.filter(({ ParameterInfo }) => wholeSpecification(ParameterInfo) === 'Hidden')
        .toSorted((a, b) => a.ActivityParameterId - b.ActivityParameterId)
        .map(({ ActivityParameterId, Value, FileId }) => [ActivityParameterId, Value, FileId]),
    ),
  );
  return new Set(hidden).size === 1 ? null : 'inputs that are not shown';
}

function versionText(runs: readonly Told[]): string | null {
  const versions = [...new Set(runs.map(({ ActivityVersion }) => ActivityVersion))];
  return versions.length === 1 ? null : `the versions (${versions.join(', ')})`;
}
