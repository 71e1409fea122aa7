import { t } from '#renderer/language/translate.ts';
import { neutralNumber } from '#renderer/language/typed-numbers.ts';
/** Converts between the form of a trigger and the trigger. */
import type { RunStatus } from '#shared/contract/run-status.ts';
import type { Trigger, TriggerInput, TriggerList, TriggerPlan, TriggerUpdate } from '#shared/contract/triggers.ts';
import {
  inputOf,
  noValueText,
  typedOf,
  type FormIssue,
} from '#renderer/features/schedules/additional/additional-schedule-form.ts';

export const KINDS = [
  { value: 'File', label: t('A file arrives') },
  { value: 'Ended', label: t('A run ends') },
  { value: 'Webhook', label: t('A program calls') },
  { value: 'Query', label: t('A query returns something new') },
] as const;

/** The kinds, for use within a line. */
export const EVENTS: Readonly<Record<TriggerPlan['Kind'], string>> = {
  File: t('a file arrives'),
  Ended: t('a run ends'),
  Webhook: t('a program calls'),
  Query: t('a query returns something new'),
};

export interface TypedInput {
  typed: string;
  /** True if `typed` is the location of the value within the event. */
  isFromEvent: boolean;
}

export interface TriggerFields {
  Id: number;
  Name: string;
  Kind: TriggerPlan['Kind'];
  Folder: string;
  Pattern: string;
  FileInput: string;
  /** 'Activity 7' */
  source: string;
  Outcomes: RunStatus[];
  Scheme: 'Standard' | 'Hub';
  Connection: string;
  Sql: string;
  Minutes: string;
  When: 'BecomesTrue' | 'NewKey';
  TimeZone: string;
  Overlap: TriggerUpdate['Overlap'];
  /** A save resumes it, so this counts as a change of somebody else. */
  isPaused: boolean;
  inputs: Record<string, TypedInput>;
}

export function newFields({ TimeZone, Folders, Connections, FileInputs }: TriggerList): TriggerFields {
  return {
    Id: 0,
    Name: '',
    Kind: Folders.length > 0 ? 'File' : 'Webhook',
    Folder: Folders[0] ?? '',
    Pattern: '*',
    FileInput: FileInputs[0] ?? '',
    source: '',
    Outcomes: ['Succeeded', 'SucceededWarn'],
    Scheme: 'Standard',
    Connection: Connections[0] ?? '',
    Sql: '',
    Minutes: '5',
    When: 'NewKey',
    TimeZone,
    Overlap: 'Wait',
    isPaused: false,
    inputs: {},
  };
}

export function fieldsOf(item: Trigger, list: TriggerList): TriggerFields {
  const { Id, Name, TimeZone, Overlap, Plan, Inputs } = item;
  const kindOf = (name: string) => list.Inputs.find((input) => input.Name === name)?.Kind ?? 'Text';
  const inputs = Inputs.map((input): [string, TypedInput] => [
    input.Name,
    input.From === null
      ? { typed: typedOf(input, kindOf(input.Name)), isFromEvent: false }
      : { typed: input.From, isFromEvent: true },
  ]);
  return {
    ...newFields(list),
    ...planFields(Plan),
    Id,
    Name,
    TimeZone,
    Overlap,
    isPaused: item.PausedTime !== null,
    inputs: Object.fromEntries(inputs),
  };
}

function planFields(plan: TriggerPlan): Partial<TriggerFields> {
  if (plan.Kind === 'File') return { ...plan, FileInput: plan.FileInput ?? '' };
  if (plan.Kind === 'Query') return { ...plan, Minutes: String(plan.Minutes) };
  if (plan.Kind !== 'Ended') return plan;
  return { Kind: plan.Kind, source: `${plan.Source} ${plan.SourceId}`, Outcomes: plan.Outcomes };
}

/** Returns the plan, or adds the issues that prevent sending it. */
function planOf(fields: TriggerFields, add: (field: string, message: string) => void): TriggerPlan | null {
  const { Kind } = fields;
  switch (Kind) {
    case 'File':
      if (fields.Folder === '') add('Folder', t('Select a folder'));
      if (fields.Pattern.trim() === '') add('Pattern', t('Enter a pattern, such as *.csv'));
      return { Kind, Folder: fields.Folder, Pattern: fields.Pattern.trim(), FileInput: fields.FileInput || null };
    case 'Ended': {
      const [Source, id] = fields.source.split(' ');
      if (fields.Outcomes.length === 0) add('Outcomes', t('Select an outcome'));
      if (Source !== 'Activity' && Source !== 'Checklist') {
        add('source', t('Select an activity or checklist'));
        return null;
      }
      return { Kind, Source, SourceId: Number(id), Outcomes: fields.Outcomes };
    }
    case 'Webhook':
      return { Kind, Scheme: fields.Scheme };
    case 'Query': {
      const Minutes = Number(neutralNumber(fields.Minutes));
      if (!Number.isInteger(Minutes) || Minutes < 1 || Minutes > 1440) add('Minutes', t('Enter 1 to 1440 minutes'));
      if (fields.Connection === '') add('Connection', t('Select a connection'));
      if (fields.Sql.trim() === '') add('Sql', t('Enter a query'));
      return { Kind, Connection: fields.Connection, Sql: fields.Sql, Minutes, When: fields.When };
    }
  }
}

const PLAN_FIELDS: Readonly<Record<TriggerPlan['Kind'], readonly string[]>> = {
  File: ['Folder', 'Pattern'],
  Ended: ['source', 'SourceId', 'Outcomes'],
  Webhook: [],
  Query: ['Connection', 'Sql', 'Minutes'],
};

/** Returns the currently visible fields of the form. */
export const shownFields = ({ Kind }: TriggerFields, { FileInputs }: TriggerList): string[] => [
  'Name',
  'TimeZone',
  ...PLAN_FIELDS[Kind],
  ...(Kind === 'File' && FileInputs.length > 0 ? ['FileInput'] : []),
];

/** Returns the text for an input whose value comes from the event; null if events of this kind have no values. */
export function fromEventText(kind: TriggerPlan['Kind']): string | null {
  return { File: t('from the name of the file'), Ended: null, Webhook: t('from the call'), Query: t('from the row') }[
    kind
  ];
}

/** Returns what is typed for an input, which may be named like a property of every object: 'constructor'. */
export const typedInput = ({ inputs }: TriggerFields, name: string): TypedInput =>
  Object.hasOwn(inputs, name) ? inputs[name]! : { typed: '', isFromEvent: false };

/** Returns the update, or the issues that prevent sending it. */
export function updateOf(
  fields: TriggerFields,
  OwnerId: number,
  { Inputs: asked }: TriggerList,
): { update: TriggerUpdate | null; issues: FormIssue[] } {
  const issues: FormIssue[] = [];
  const add = (field: string, message: string): void => void issues.push({ field, message });
  if (fields.Name.trim() === '') add('Name', t('Enter a name'));
  const Plan = planOf(fields, add);
  const Inputs: TriggerInput[] = [];
  for (const input of asked) {
    const { typed, isFromEvent } = typedInput(fields, input.Name);
    const { Name } = input;
    const comesWithEvent = isFromEvent && fromEventText(fields.Kind) !== null;
    if (comesWithEvent && fields.Kind === 'File') {
      Inputs.push({ Name, Value: null, RelativeDate: null, From: 'name' });
    } else if (typed.trim() === '') {
      if (input.IsNeeded || comesWithEvent) add(Name, t('Enter {name}', { name: Name }));
    } else if (comesWithEvent) {
      Inputs.push({ Name, Value: null, RelativeDate: null, From: typed.trim() });
    } else {
      const read = inputOf(input, typed);
      if (read) Inputs.push({ ...read, From: null });
      else add(Name, noValueText(input));
    }
  }
  const { Id, Name, TimeZone, Overlap } = fields;
  if (issues.length > 0 || !Plan) return { update: null, issues };
  return { update: { Id, OwnerId, Name, Plan, Inputs, TimeZone: TimeZone.trim(), Overlap }, issues };
}
