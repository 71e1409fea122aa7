/** The form of an alert: what is typed, and the alert it stands for. */
import {
  ESCALATE_MINUTES_MAX,
  type Alert,
  type AlertCondition,
  type AlertDraft,
  type AlertKind,
  type AlertList,
  type AlertReceivers,
  type AlertWebhookKind,
} from '#shared/contract/alerts.ts';
import { isUnheard } from '#shared/rules/alert-rules.ts';
import { numberText } from '#renderer/language/numbers.ts';
import { t } from '#renderer/language/translate.ts';
import { editedNumber, neutralNumber } from '#renderer/language/typed-numbers.ts';

export const KIND_TEXTS: Record<AlertKind, string> = {
  Outcome: t('It ends with an outcome'),
  Late: t('Nothing has succeeded by a time'),
  Long: t('It takes longer than usual'),
  Value: t('An output has a value'),
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
  /** Of the one that is kept; null for a new one, whose address is typed. */
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
  /** '' for none. */
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

/** Null where it is no time of day. */
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

/** The alert, or what keeps it from being saved. */
export function readFields(
  fields: AlertFields,
  Id: number | null,
  canMail: boolean,
): { draft: AlertDraft } | { issue: string } {
  const { Name, IsActive, Receivers, NextReceivers, Webhooks } = fields;
  if (Name.trim() === '') return { issue: t('Enter a name') };
  const Condition = readCondition(fields);
  if (typeof Condition === 'string') return { issue: Condition };
  if (Webhooks.some(({ Host, Url }) => Host === null && Url.trim() === ''))
    return { issue: t('Enter the address of the webhook') };
  if (Receivers.Roles.length + Receivers.UserIds.length + Webhooks.length === 0)
    return { issue: t('Choose somebody who is told') };
  const unheard = t('This portal sends no mail: choose the bell for those who are told');
  if (isUnheard(Receivers, canMail))
    return { issue: canMail ? t('Choose the bell, mail or both for those who are told') : unheard };
  const minutes = fields.escalateMinutes.trim();
  const isEscalated = minutes !== '';
  if (isEscalated && !(/^\d{1,5}$/.test(minutes) && Number(minutes) >= 1 && Number(minutes) <= ESCALATE_MINUTES_MAX))
    return { issue: t('Enter after how many minutes the next are told: 1 to {most}', { most: ESCALATE_MINUTES_MAX }) };
  if (isEscalated && NextReceivers.Roles.length + NextReceivers.UserIds.length === 0)
    return { issue: t('Choose somebody who is told next') };
  if (isEscalated && isUnheard(NextReceivers, canMail))
    return { issue: canMail ? t('Choose the bell, mail or both for those who are told next') : unheard };
  const draft = {
    Id,
    Name: Name.trim(),
    IsActive,
    Condition,
    Receivers,
    NextReceivers,
    EscalateMinutes: isEscalated ? Number(minutes) : null,
    Webhooks: Webhooks.map(({ Kind, Host, Url }) => ({ Kind, Url: Host === null ? Url.trim() : null })),
  };
  return { draft };
}

function readCondition({
  Kind,
  Statuses,
  by,
  TimeZone,
  Days,
  CalendarId,
  Factor,
  Condition,
}: AlertFields): AlertCondition | string {
  if (Kind === 'Outcome') return Statuses.length === 0 ? t('Choose an outcome') : { Kind, Statuses };
  if (Kind === 'Value') return Condition.trim() === '' ? t('Enter a condition') : { Kind, Condition: Condition.trim() };
  if (Kind === 'Long') {
    const factor = Number(neutralNumber(Factor));
    return factor >= 1 && factor <= 1000 ? { Kind, Factor: factor } : t('Enter how many times longer, 1 or more');
  }
  const By = readMinute(by);
  if (By === null) return t('Enter a time of day');
  if (TimeZone.trim() === '') return t('Enter a time zone such as Europe/Berlin');
  if (Days.length === 0) return t('Choose a day');
  const calendar = CalendarId === '' ? null : Number(CalendarId);
  return { Kind, By, TimeZone: TimeZone.trim(), Days: Days.toSorted((a, b) => a - b), CalendarId: calendar };
}

/** What an alert is about, in words. */
export function conditionText(condition: AlertCondition): string {
  switch (condition.Kind) {
    case 'Outcome':
      return condition.Statuses.map((status) => OUTCOME_LABELS[status]).join(', ');
    case 'Late': {
      const days = condition.Days.length === 7 ? t('every day') : condition.Days.map((day) => DAYS[day - 1]).join(', ');
      const values = { time: minuteText(condition.By), timeZone: condition.TimeZone, days };
      return condition.CalendarId === null
        ? t('Nothing has succeeded by {time} ({timeZone}), {days}', values)
        : t('Nothing has succeeded by {time} ({timeZone}), {days} but holidays', values);
    }
    case 'Long':
      return t('Takes more than {factor} times as long as usual', { factor: numberText(condition.Factor) });
    case 'Value':
      return condition.Condition;
  }
}
