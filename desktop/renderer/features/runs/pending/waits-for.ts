import { t } from '#renderer/language/translate.ts';
import { formatDayTime } from '#renderer/ui/format-date.ts';
import { isApproval, isRetry, type PendingRow } from './pending-rows.ts';

/** Returns what a pending run waits for; '' while it is calculated. */
export function waitsForText(row: PendingRow): string {
  if (isRetry(row)) {
    const { Attempt, RetryCount, Time } = row;
    const values = { attempt: Attempt, count: RetryCount, time: formatDayTime(Time) };
    return t('Retry {attempt} of {count} at {time}', values);
  }
  if (isApproval(row)) {
    const names = row.WaitsFor.join(', ');
    if (!row.ExpiryTime) return t('Approval by {names}', { names });
    const values = { names, time: formatDayTime(row.ExpiryTime) };
    return row.OnExpiry === 'Approve'
      ? t('Approval by {names}; approved automatically on {time}', values)
      : t('Approval by {names}; expires on {time}', values);
  }
  if (row.AnswerUntil) {
    const values = { name: row.UserFullName, time: formatDayTime(row.AnswerUntil) };
    return t('Answer by {name} until {time}', values);
  }
  if (row.Status === 'Queued') return t('A server with capacity');
  return row.Status === 'QueuedInSeq' ? t('Earlier runs of the activity') : '';
}
