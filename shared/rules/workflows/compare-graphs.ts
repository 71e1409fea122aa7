/** Compares two versions of a workflow and describes the differences as text. */
import { stepsByKey } from './graph-order.ts';
import { shownExpression } from './expression-names.ts';
import type {
  ApprovalStep,
  ConstantSource,
  WorkflowGraph,
  WorkflowInput,
  WorkflowStep,
  InputMapping,
  ValueSource,
} from './types.ts';

export interface GraphChange {
  Kind: 'Added' | 'Removed' | 'Changed';
  /** Key of the step; null for an input of the workflow. */
  Step: string | null;
  /** Name of the step or input. */
  Name: string;
  /**
   * The changed property: 'After', 'Activity', "Input 'Month'", or 'Place' for the position among the items of both
   * versions. Empty if the whole item was added or removed.
   */
  What: string;
  Before: string;
  After: string;
}

/** @param activityName returns an activity's name by its id */
export function compareGraphs(
  before: WorkflowGraph,
  after: WorkflowGraph,
  activityName: (activityId: number) => string,
): GraphChange[] {
  return [...inputChanges(before, after), ...stepChanges(before, after, activityName)];
}

function inputChanges(before: WorkflowGraph, after: WorkflowGraph): GraphChange[] {
  const change = (Kind: 'Added' | 'Removed', Name: string): GraphChange => ({
    Kind,
    Step: null,
    Name,
    What: 'Input',
    Before: Kind === 'Removed' ? Name : '',
    After: Kind === 'Added' ? Name : '',
  });
  const has = ({ Inputs }: WorkflowGraph, name: string): boolean => Inputs.some(({ Name }) => Name === name);
  return [
    ...before.Inputs.filter(({ Name }) => !has(after, Name)).map(({ Name }) => change('Removed', Name)),
    ...after.Inputs.filter(({ Name }) => !has(before, Name)).map(({ Name }) => change('Added', Name)),
    ...after.Inputs.flatMap((input): GraphChange[] => {
      const old = before.Inputs.find(({ Name }) => Name === input.Name);
      return old ? inputPartChanges(old, input) : [];
    }),
    ...namesOf(after).flatMap((Name): GraphChange[] => {
      const move = movedTo(Name, namesOf(before), namesOf(after));
      return move ? [{ Kind: 'Changed', Step: null, Name, What: 'Place', ...move }] : [];
    }),
  ];
}

function inputPartChanges(old: WorkflowInput, now: WorkflowInput): GraphChange[] {
  const parts = [
    ['Type', old.Type ?? '', now.Type ?? ''],
    ['Default', defaultText(old), defaultText(now)],
  ] as const;
  return parts.flatMap(([What, Before, After]): GraphChange[] =>
    Before === After ? [] : [{ Kind: 'Changed', Step: null, Name: now.Name, What, Before, After }],
  );
}

const defaultText = ({ Default }: WorkflowInput): string => (Default ? sourceText(Default, (key) => key) : '');

const namesOf = ({ Inputs }: WorkflowGraph): string[] => Inputs.map(({ Name }) => Name);

/**
 * Returns the old and new positions, from 1, among the items that are in both lists; null if the position did not
 * change or the item is not in both.
 */
function movedTo(
  one: string,
  before: readonly string[],
  after: readonly string[],
): Pick<GraphChange, 'Before' | 'After'> | null {
  const was = before.filter((name) => after.includes(name)).indexOf(one);
  const is = after.filter((name) => before.includes(name)).indexOf(one);
  return was === is ? null : { Before: String(was + 1), After: String(is + 1) };
}

type Named = (activityId: number) => string;

function stepChanges(before: WorkflowGraph, after: WorkflowGraph, activityName: Named): GraphChange[] {
  const [old, now] = [stepsByKey(before), stepsByKey(after)];
  const [oldKeys, keys] = [[...old.keys()], [...now.keys()]];
  const whole = (Kind: 'Added' | 'Removed', { Key, Name }: WorkflowStep): GraphChange => ({
    Kind,
    Step: Key,
    Name,
    What: '',
    Before: '',
    After: '',
  });
  return [
    ...before.Steps.filter(({ Key }) => !now.has(Key)).map((step) => whole('Removed', step)),
    ...after.Steps.flatMap((step) => {
      const known = old.get(step.Key);
      if (!known) return [whole('Added', step)];
      const [was, is] = [partsOf(known, before, activityName), partsOf(step, after, activityName)];
      const move = movedTo(step.Key, oldKeys, keys);
      if (move) {
        was.set('Place', move.Before);
        is.set('Place', move.After);
      }
      return [...new Set([...was.keys(), ...is.keys()])].flatMap((What): GraphChange[] => {
        const [Before, After] = [was.get(What) ?? '', is.get(What) ?? ''];
        return Before === After ? [] : [{ Kind: 'Changed', Step: step.Key, Name: step.Name, What, Before, After }];
      });
    }),
  ];
}

const RULES = { AllSucceeded: 'all succeeded', AllEnded: 'all ended', AnySucceeded: 'any succeeded' };

/** Returns the properties of a step as text, except its position in the diagram. */
function partsOf(step: WorkflowStep, graph: WorkflowGraph, activityName: Named): Map<string, string> {
  const names = stepsByKey(graph);
  const nameOf = (key: string): string => `'${names.get(key)?.Name ?? key}'`;
  const parts = new Map([
    ['Name', step.Name],
    [
      'After',
      step.After.map(({ Step, When }) => `${nameOf(Step)} on ${When}`)
        .sort()
        .join(', '),
    ],
    ['Waits until', RULES[step.Join]],
    ['On failure', step.OnFailure.toLowerCase()],
  ]);
  if (step.Kind === 'Decision') {
    parts.set('Condition', step.Condition);
    for (const { Name, From } of step.Values) parts.set(`Value '${Name}'`, sourceText(From, nameOf));
  }
  if (step.Kind === 'ForEach') {
    parts.set('Rows', sourceText(step.Rows, nameOf));
    parts.set('Key column', step.KeyColumn ?? '');
    parts.set('Concurrent rows', String(step.AtOnce));
    parts.set('Stops after failures', String(step.StopAfterFailures ?? 'never'));
  }
  if (step.Kind === 'Approval') addApproval(parts, step, nameOf);
  if (!('ActivityId' in step)) return parts;
  parts.set('Activity', activityName(step.ActivityId));
  parts.set('Run again if interrupted', step.MayRepeat ? 'yes' : 'no');
  for (const { Input, From } of step.Inputs) parts.set(`Input '${Input}'`, sourceText(From, nameOf));
  return parts;
}

function addApproval(parts: Map<string, string>, step: ApprovalStep, nameOf: (key: string) => string): void {
  parts.set('Roles that decide', [...step.Roles].sort().join(', '));
  parts.set('People who decide', step.UserIds.toSorted((one, other) => one - other).join(', '));
  parts.set('Approvals needed', String(step.Needed));
  parts.set('Who started it may decide', step.StarterMayApprove ? 'yes' : 'no');
  parts.set('Text', step.Text);
  parts.set('Expires', expiryText(step.ExpiresAfterHours));
  parts.set('On expiry', step.OnExpiry.toLowerCase());
  for (const { Name, From } of step.Values) parts.set(`Value '${Name}'`, sourceText(From, nameOf));
}

function expiryText(hours: number | null): string {
  if (hours === null) return 'never';
  return hours === 1 ? 'after 1 hour' : `after ${hours} hours`;
}

const constantText = (value: ConstantSource['Value']): string =>
  value === null ? '(blank)' : typeof value === 'string' ? `"${value}"` : String(value);

function sourceText(From: InputMapping['From'], nameOf: (key: string) => string): string {
  const texts: { [K in ValueSource['Kind']]: (from: Extract<ValueSource, { Kind: K }>) => string } = {
    Input: ({ Name }) => `input '${Name}'`,
    Output: ({ Step, Name }) => `output '${Name}' of ${nameOf(Step)}`,
    Column: ({ Name }) => `column '${Name}'`,
    Constant: ({ Value }) => `constant ${constantText(Value)}`,
    Expression: ({ Formula }) => shownExpression(Formula),
  };
  return texts[From.Kind](From as never);
}
