/** Converts between the form of an additional schedule and the schedule. */
import {
  MISSED_MAX,
  RETRIES_MAX,
  RETRY_MINUTES_MAX,
  type AdditionalSchedule,
  type ScheduleInput,
  type AdditionalScheduleList,
  type RecurrencePlan,
  type AdditionalScheduleUpdate,
} from '#shared/contract/additional-schedules.ts';
import { readDate } from '#shared/codecs/read-date.ts';
import { formatSerialDate } from '#shared/codecs/serial-date.ts';
import { numberOf } from '#shared/codecs/number-text.ts';
import { parseRelativeDate } from '#shared/rules/schedules/relative-dates.ts';
import { fractionToTime, timeToFraction } from '#renderer/features/schedules/daily/schedule-form.ts';
import { personRegion } from '#renderer/language/region.ts';
import { t } from '#renderer/language/translate.ts';
import { editedNumber, neutralNumber } from '#renderer/language/typed-numbers.ts';

export const KINDS = [
  { value: 'Daily', label: t('Daily') },
  { value: 'Weekly', label: t('Weekly') },
  { value: 'MonthlyDay', label: t('Monthly, on a day') },
  { value: 'MonthlyLastDay', label: t('Monthly, on the last day') },
  { value: 'MonthlyWeekday', label: t('Monthly, on a weekday') },
  { value: 'MonthlyBusinessDay', label: t('Monthly, on a business day') },
  { value: 'Cron', label: t('Cron') },
] as const;

export const WEEKDAYS = [
  t('Monday'),
  t('Tuesday'),
  t('Wednesday'),
  t('Thursday'),
  t('Friday'),
  t('Saturday'),
  t('Sunday'),
];

export type AskedInput = AdditionalScheduleList['Inputs'][number];

export interface AdditionalScheduleFields {
  Id: number;
  Name: string;
  Kind: RecurrencePlan['Kind'];
  time: string;
  Weekdays: number[];
  Day: string;
  Week: string;
  Weekday: string;
  BusinessDay: string;
  FromEnd: boolean;
  Cron: string;
  TimeZone: string;
  CalendarId: string;
  HolidayRule: AdditionalScheduleUpdate['HolidayRule'];
  RetryCount: string;
  RetryInterval: string;
  Overlap: AdditionalScheduleUpdate['Overlap'];
  Missed: AdditionalScheduleUpdate['Missed'];
  MissedMax: string;
  /** A save resumes it, so this counts as a change of somebody else. */
  isPaused: boolean;
  /** By input: the typed text; '' uses the default. */
  inputs: Record<string, string>;
}

export function newFields(TimeZone: string): AdditionalScheduleFields {
  return {
    Id: 0,
    Name: '',
    Kind: 'Weekly',
    time: '06:00',
    Weekdays: [1],
    Day: '1',
    Week: '1',
    Weekday: '1',
    BusinessDay: '1',
    FromEnd: false,
    Cron: '0 6 * * 1-5',
    TimeZone,
    CalendarId: '',
    HolidayRule: 'Keep',
    RetryCount: '0',
    RetryInterval: '0',
    Overlap: 'Wait',
    Missed: 'Last',
    MissedMax: '3',
    isPaused: false,
    inputs: {},
  };
}

export function fieldsOf(item: AdditionalSchedule, asked: readonly AskedInput[]): AdditionalScheduleFields {
  const { Plan, Inputs } = item;
  const { Id, Name, TimeZone, HolidayRule, Overlap, Missed } = item;
  return {
    ...newFields(TimeZone),
    ...planFields(Plan),
    Id,
    Name,
    HolidayRule,
    Overlap,
    Missed,
    CalendarId: item.CalendarId === null ? '' : String(item.CalendarId),
    RetryCount: String(item.RetryCount),
    RetryInterval: String(item.RetryInterval),
    MissedMax: String(item.MissedMax),
    isPaused: item.PausedTime !== null,
    inputs: Object.fromEntries(Inputs.map((input) => [input.Name, typedOf(input, kindOf(asked, input.Name))])),
  };
}

/** The fields of a stored schedule, to be edited. */
export const openedOf = (
  item: AdditionalSchedule,
  asked: readonly AskedInput[],
): { fields: AdditionalScheduleFields; revision: number } => ({
  fields: fieldsOf(item, asked),
  revision: item.Revision,
});

const kindOf = (asked: readonly AskedInput[], name: string): AskedInput['Kind'] =>
  asked.find(({ Name }) => Name === name)?.Kind ?? 'Text';

function planFields(plan: RecurrencePlan): Partial<AdditionalScheduleFields> {
  const { Kind } = plan;
  if (Kind === 'Cron') return { Kind, Cron: plan.Cron };
  const time = fractionToTime(plan.TimeOfDay);
  switch (Kind) {
    case 'Weekly':
      return { Kind, time, Weekdays: plan.Weekdays };
    case 'MonthlyDay':
      return { Kind, time, Day: String(plan.Day) };
    case 'MonthlyWeekday':
      return { Kind, time, Week: String(plan.Week), Weekday: String(plan.Weekday) };
    case 'MonthlyBusinessDay':
      return { Kind, time, BusinessDay: String(plan.BusinessDay), FromEnd: plan.FromEnd };
    default:
      return { Kind, time };
  }
}

function planOf(fields: AdditionalScheduleFields): RecurrencePlan | null {
  const { Kind } = fields;
  if (Kind === 'Cron') return fields.Cron.trim() === '' ? null : { Kind, Cron: fields.Cron.trim() };
  const TimeOfDay = timeToFraction(fields.time);
  if (TimeOfDay === null) return null;
  switch (Kind) {
    case 'Weekly':
      return fields.Weekdays.length === 0 ? null : { Kind, TimeOfDay, Weekdays: fields.Weekdays };
    case 'MonthlyDay':
      return { Kind, TimeOfDay, Day: Number(fields.Day) };
    case 'MonthlyWeekday':
      return { Kind, TimeOfDay, Week: Number(fields.Week), Weekday: Number(fields.Weekday) };
    case 'MonthlyBusinessDay':
      return { Kind, TimeOfDay, BusinessDay: Number(fields.BusinessDay), FromEnd: fields.FromEnd };
    default:
      return { Kind, TimeOfDay };
  }
}

export function typedOf(
  { Value, RelativeDate }: Pick<ScheduleInput, 'Value' | 'RelativeDate'>,
  kind: AskedInput['Kind'],
): string {
  if (RelativeDate !== null) return RelativeDate;
  const value: unknown = Value === null ? '' : JSON.parse(Value);
  if (kind === 'Date' && typeof value === 'number') return formatSerialDate(value);
  if (typeof value === 'number') return editedNumber(value);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Returns null if the text cannot be read as the input's kind. */
export function inputOf({ Name, Kind }: AskedInput, typed: string): ScheduleInput | null {
  const text = typed.trim();
  const fixed = (value: unknown): ScheduleInput => ({ Name, Value: JSON.stringify(value), RelativeDate: null });
  if (Kind === 'Text') return fixed(typed);
  if (Kind === 'Boolean') return /^(true|false)$/i.test(text) ? fixed(/^true$/i.test(text)) : null;
  if (Kind === 'Number') {
    const number = numberOf(neutralNumber(text));
    return number === null ? null : fixed(number);
  }
  if (parseRelativeDate(text)) return { Name, Value: null, RelativeDate: text };
  const read = readDate(text, { format: 'd/mmm/yyyy', region: personRegion() });
  return read === null ? null : fixed(read.value);
}

export interface FormIssue {
  field: string;
  message: string;
}

/** Returns the issues of fields that the form does not show; the others are shown at their fields. */
export const issuesElsewhere = (
  issues: readonly FormIssue[],
  fields: readonly string[],
  asked: readonly AskedInput[],
): FormIssue[] => issues.filter(({ field }) => !fields.includes(field) && !asked.some(({ Name }) => Name === field));

/** Returns the currently visible fields of the form. */
export const shownFields = ({ Kind, Missed }: AdditionalScheduleFields): string[] => [
  'Name',
  'TimeZone',
  'CalendarId',
  'RetryCount',
  'RetryInterval',
  Kind === 'Cron' ? 'Cron' : 'time',
  ...(Missed === 'All' ? ['MissedMax'] : []),
];

function whenText({ Kind, time }: AdditionalScheduleFields): string {
  const isTimeTyped = Kind !== 'Cron' && time.trim() !== '';
  return isTimeTyped && timeToFraction(time) === null
    ? t('Enter a time of day, such as 19:30')
    : t('Enter when the schedule starts');
}

/** Returns the text typed for an input, which may be named like a property of every object: 'constructor'. */
export const typedText = ({ inputs }: AdditionalScheduleFields, name: string): string =>
  Object.hasOwn(inputs, name) ? inputs[name]! : '';

/** Returns the update, or the issues that prevent sending it. */
export function updateOf(
  fields: AdditionalScheduleFields,
  OwnerId: number,
  asked: readonly AskedInput[],
): { update: AdditionalScheduleUpdate | null; issues: FormIssue[] } {
  const issues: FormIssue[] = [];
  const add = (field: string, message: string): void => void issues.push({ field, message });
  const Plan = planOf(fields);
  if (fields.Name.trim() === '') add('Name', t('Enter a name'));
  if (!Plan) add(fields.Kind === 'Cron' ? 'Cron' : 'time', whenText(fields));
  const whole = (field: 'RetryCount' | 'RetryInterval' | 'MissedMax', least: number, most: number): number => {
    const text = fields[field].trim();
    const number = text === '' ? least : Number(text);
    // Accepts only digits: '1.000' is a thousand in some regions and one in others.
    if ((text === '' || /^\d+$/.test(text)) && number >= least && number <= most) return number;
    add(field, t('Enter a whole number from {least} to {most}', { least, most }));
    return least;
  };
  const RetryCount = whole('RetryCount', 0, RETRIES_MAX);
  const RetryInterval = RetryCount > 0 ? whole('RetryInterval', 0, RETRY_MINUTES_MAX) : 0;
  if (RetryCount > 0 && RetryInterval === 0 && !issues.some(({ field }) => field === 'RetryInterval'))
    add('RetryInterval', t('Enter a valid Retry Interval'));
  const MissedMax = fields.Missed === 'All' ? whole('MissedMax', 1, MISSED_MAX) : 1;
  if (fields.HolidayRule !== 'Keep' && fields.CalendarId === '') add('CalendarId', t('Select a holiday calendar'));
  const Inputs: ScheduleInput[] = [];
  for (const input of asked) {
    const typed = typedText(fields, input.Name);
    if (typed.trim() === '') {
      if (input.IsNeeded) add(input.Name, t('Enter {name}', { name: input.Name }));
      continue;
    }
    const read = inputOf(input, typed);
    if (read) Inputs.push(read);
    else add(input.Name, noValueText(input));
  }
  if (issues.length > 0 || !Plan) return { update: null, issues };
  const { Id, Name, TimeZone, HolidayRule, Overlap, Missed } = fields;
  const CalendarId = fields.CalendarId === '' ? null : Number(fields.CalendarId);
  const update = { Id, OwnerId, Name, Plan, TimeZone: TimeZone.trim(), CalendarId, HolidayRule, Inputs };
  return { update: { ...update, RetryCount, RetryInterval, Overlap, Missed, MissedMax }, issues };
}

/** Explains why the typed text is invalid. */
export function noValueText({ Name: name, Kind }: Pick<ScheduleInput, 'Name'> & { Kind: string }): string {
  if (Kind === 'Boolean') return t('{name} is neither true nor false', { name });
  return Kind === 'Date' ? t('{name} is not a date', { name }) : t('{name} is not a number', { name });
}
