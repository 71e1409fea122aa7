/** Converts between the form of an alert and the alert. */
import {
  ALERT_FACTOR_MAX,
  ESCALATE_MINUTES_MAX,
  type Alert,
  type AlertCondition,
  type AlertDraft,
  type AlertKind,
  type AlertList,
  type AlertReceivers,
  type AlertWebhookKind,
} from '#shared/contract/alerts.ts';
import { hasNoChannel } from '#shared/rules/alert-rules.ts';
import { numberText } from '#renderer/language/numbers.ts';
import { t } from '#renderer/language/translate.ts';
import { editedNumber, neutralNumber } from '#renderer/language/typed-numbers.ts';

export const KIND_TEXTS: Record<AlertKind, string> = {
  Outcome: t('It ends with a certain outcome'),
  Late: t('No run has succeeded by a certain time'),
  Long: t('It takes longer than usual'),
  Value: t('An output meets a condition'),
};

export const OUTCOME_LABELS = {
  Failed: t('Failed'),
  Cancelled: t('Cancelled'),
  LogicError: t('Error in activity setup'),
  InternalError: t('System error'),
  Abandoned: t('Service interrupted'),
  NotLicensed: t('Invalid or expired license'),
  SucceededWarn: t('Succeeded with warnings'),
  Succeeded: t('Succeeded'),
} as const;
type Outcome = keyof typeof OUTCOME_LABELS;

export const DAYS = [t('Mon'), t('Tue'), t('Wed'), t('Thu'), t('Fri'), t('Sat'), t('Sun')] as const;

export interface TypedWebhook {
  Kind: AlertWebhookKind;
  /** Host of the stored webhook; null for a new one, whose address is typed. */
  Host: string | null;
  Url: string;
}

export interface AlertFields {
  Name: string;
  IsActive: boolean;
  Kind: AlertKind;
  Statuses: Outcome[];
  /** 'HH:mm' */
  by: string;
  TimeZone: string;
  Days: number[];
  /** '' for no calendar. */
  CalendarId: string;
  Factor: string;
  Condition: string;
  Receivers: AlertReceivers;
  NextReceivers: AlertReceivers;
  escalateMinutes: string;
  Webhooks: TypedWebhook[];
}

const nobody = (ByMail: boolean): AlertReceivers => ({ Roles: [], UserIds: [], ByBell: true, ByMail });

export function minuteText(minute: number): string {
  return `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
}

/** Returns the minute of the day; null if the text is no time of day. */
export function readMinute(text: string): number | null {
  const [, hours, minutes] = /^(\d{1,2}):(\d{2})$/.exec(text.trim()) ?? [];
  if (hours === undefined || Number(hours) > 23 || Number(minutes) > 59) return null;
  return Number(hours) * 60 + Number(minutes);
}

export function newFields({ TimeZone, CanMail }: Pick<AlertList, 'TimeZone' | 'CanMail'>): AlertFields {
  return {
    Name: '',
    IsActive: true,
    Kind: 'Outcome',
    Statuses: ['Failed', 'LogicError', 'InternalError', 'Abandoned'],
    by: '08:00',
    TimeZone,
    Days: [1, 2, 3, 4, 5],
    CalendarId: '',
    Factor: '3',
    Condition: '',
    Receivers: nobody(CanMail),
    NextReceivers: nobody(CanMail),
    escalateMinutes: '',
    Webhooks: [],
  };
}

export function fieldsOf(alert: Alert, list: Pick<AlertList, 'TimeZone' | 'CanMail'>): AlertFields {
  const { Name, IsActive, Condition, Receivers, NextReceivers, EscalateMinutes, Webhooks } = alert;
  return {
    ...newFields(list),
    Name,
    IsActive,
    ...ofCondition(Condition),
    Receivers,
    NextReceivers,
    escalateMinutes: EscalateMinutes === null ? '' : String(EscalateMinutes),
    Webhooks: Webhooks.map(({ Kind, Host }) => ({ Kind, Host, Url: '' })),
  };
}

function ofCondition(condition: AlertCondition): Partial<AlertFields> {
  switch (condition.Kind) {
    case 'Outcome':
      return { Kind: 'Outcome', Statuses: condition.Statuses };
    case 'Late':
      return {
        Kind: 'Late',
        by: minuteText(condition.By),
        TimeZone: condition.TimeZone,
        Days: condition.Days,
        CalendarId: String(condition.CalendarId ?? ''),
      };
    case 'Long':
      return { Kind: 'Long', Factor: editedNumber(condition.Factor) };
    case 'Value':
      return { Kind: 'Value', Condition: condition.Condition };
  }
}

/**
 * Fields of the form. Fields that the alert itself has keep its names, because the server uses them in error messages.
 */
export const ALERT_FIELDS = [
  'Name',
  'Statuses',
  'by',
  'TimeZone',
  'Days',
  'CalendarId',
  'Factor',
  'Condition',
  'Receivers',
  'Webhooks',
  'EscalateMinutes',
  'NextReceivers',
] as const;
export type AlertField = (typeof ALERT_FIELDS)[number];

/**
 * Returns the channels to save: one without a typed address keeps the address that is stored at its position. If
 * somebody else has put another channel there, its address must be entered again, so that nothing is sent elsewhere.
 */
export const channelsToSave = (typed: readonly TypedWebhook[], stored: readonly TypedWebhook[]): TypedWebhook[] =>
  typed.map((one, position) =>
    one.Host === null || one.Host === stored[position]?.Host ? one : { Kind: one.Kind, Host: null, Url: '' },
  );

/** The first problem of each field. */
export type AlertIssues = Partial<Record<AlertField, string>>;

/** Returns the alert, or the problems that prevent saving it. */
export function readFields(
  fields: AlertFields,
  Id: number | null,
  canMail: boolean,
): { draft: AlertDraft } | { issues: AlertIssues } {
  const { Name, IsActive, Receivers, NextReceivers, Webhooks } = fields;
  const Condition = conditionOf(fields);
  const minutes = fields.escalateMinutes.trim();
  const issues = { ...conditionIssues(fields), ...receiverIssues(fields, canMail) };
  if (Name.trim() === '') issues.Name = t('Enter a name');
  if (Object.keys(issues).length > 0 || Condition === null) return { issues };
  const draft = {
    Id,
    Name: Name.trim(),
    IsActive,
    Condition,
    Receivers,
    NextReceivers,
    EscalateMinutes: minutes === '' ? null : Number(minutes),
    Webhooks: Webhooks.map(({ Kind, Host, Url }) => ({ Kind, Url: Host === null ? Url.trim() : null })),
  };
  return { draft };
}

function receiverIssues({ Receivers, NextReceivers, Webhooks, escalateMinutes }: AlertFields, canMail: boolean) {
  const issues: AlertIssues = {};
  const noChannelText = t('This portal does not send email: choose the bell for the recipients');
  if (Webhooks.some(isUnaddressed)) issues.Webhooks = t('Enter the address of the webhook');
  if (countOf(Receivers) + Webhooks.length === 0) issues.Receivers = t('Choose who is notified');
  else if (hasNoChannel(Receivers, canMail))
    issues.Receivers = canMail ? t('Choose the bell, email, or both for the people to notify') : noChannelText;
  const minutes = escalateMinutes.trim();
  if (minutes === '') return issues;
  const isInRange = /^\d{1,5}$/.test(minutes) && Number(minutes) >= 1 && Number(minutes) <= ESCALATE_MINUTES_MAX;
  if (!isInRange) {
    const most = numberText(ESCALATE_MINUTES_MAX);
    issues.EscalateMinutes = t('Enter after how many minutes the next people are notified: 1 to {most}', { most });
  }
  if (countOf(NextReceivers) === 0) issues.NextReceivers = t('Choose who is notified next');
  else if (hasNoChannel(NextReceivers, canMail))
    issues.NextReceivers = canMail ? t('Choose the bell, email, or both for the people to notify next') : noChannelText;
  return issues;
}

export const isUnaddressed = ({ Host, Url }: TypedWebhook): boolean => Host === null && Url.trim() === '';

const countOf = ({ Roles, UserIds }: AlertReceivers): number => Roles.length + UserIds.length;

function conditionIssues({ Kind, Statuses, by, TimeZone, Days, Factor, Condition }: AlertFields): AlertIssues {
  const issues: AlertIssues = {};
  if (Kind === 'Outcome' && Statuses.length === 0) issues.Statuses = t('Choose an outcome');
  if (Kind === 'Value' && Condition.trim() === '') issues.Condition = t('Enter a condition');
  if (Kind === 'Long' && factorOf(Factor) === null)
    issues.Factor = t('Enter how many times as long as usual: a number from 1 to {most}', {
      most: numberText(ALERT_FACTOR_MAX),
    });
  if (Kind === 'Late') {
    if (readMinute(by) === null) issues.by = t('Enter a time of day');
    if (TimeZone.trim() === '') issues.TimeZone = t('Enter a time zone such as Europe/Berlin');
    if (Days.length === 0) issues.Days = t('Choose a day');
  }
  return issues;
}

function factorOf(typed: string): number | null {
  const factor = typed.trim() === '' ? NaN : Number(neutralNumber(typed));
  return factor >= 1 && factor <= ALERT_FACTOR_MAX ? factor : null;
}

/** Returns null if the condition cannot be read. */
function conditionOf(fields: AlertFields): AlertCondition | null {
  const { Kind, Statuses, by, TimeZone, Days, CalendarId, Factor, Condition } = fields;
  if (Kind === 'Outcome') return { Kind, Statuses };
  if (Kind === 'Value') return { Kind, Condition: Condition.trim() };
  if (Kind === 'Long') {
    const factor = factorOf(Factor);
    return factor === null ? null : { Kind, Factor: factor };
  }
  const By = readMinute(by);
  if (By === null) return null;
  const calendar = CalendarId === '' ? null : Number(CalendarId);
  return { Kind, By, TimeZone: TimeZone.trim(), Days: Days.toSorted((a, b) => a - b), CalendarId: calendar };
}

/** Describes the condition of an alert in words. */
export function conditionText(condition: AlertCondition): string {
  switch (condition.Kind) {
    case 'Outcome':
      return condition.Statuses.map((status) => OUTCOME_LABELS[status]).join(', ');
    case 'Late': {
      const days = condition.Days.length === 7 ? t('every day') : condition.Days.map((day) => DAYS[day - 1]).join(', ');
      const values = { time: minuteText(condition.By), timeZone: condition.TimeZone, days };
      return condition.CalendarId === null
        ? t('No run has succeeded by {time} ({timeZone}), {days}', values)
        : t('No run has succeeded by {time} ({timeZone}), {days} except holidays', values);
    }
    case 'Long':
      // A factor is at least 1; 'more than 1 times as long' means just this.
      if (condition.Factor === 1) return t('Takes longer than usual');
      return t('Takes more than {factor} times as long as usual', { factor: numberText(condition.Factor) });
    case 'Value':
      return condition.Condition;
  }
}
