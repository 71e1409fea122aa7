/**
 * The daily mail for people who subscribed to it: the results of their runs of the last day, and what waits for them.
 */
import type { Knex } from 'knex';
import { insertDeliveries } from '#server/automation/deliveries/delivery-rows.ts';
import { mailWords, type MailWords } from '#server/mail/mail-language.ts';
import { isFailed, PENDING_STATUSES, STATUS_TEXT } from '#shared/contract/run-status.ts';
import { nextMinute } from './alert-times.ts';
import type { NotifyDeps } from './alert-notify.ts';
import { findEmail, listDueSummaries, moveSummary, type SettingsRow } from './notification-settings-repository.ts';
import { alertsOf, runsOf, type SummaryRuns } from './daily-summary-repository.ts';

const MAX_SUMMARIES_PER_POLL = 100;
const DAY_MS = 86_400_000;
const MAX_LINES = 20;

export interface SummaryDeps extends Pick<NotifyDeps, 'title' | 'address' | 'canMail'> {
  /** Returns the number of approvals that wait for a person. */
  countApprovals: (userId: number) => Promise<number>;
}

/**
 * Sends the summaries that are due: at most one per person and day. After a time without a running server, each person
 * gets one late summary; the other missed days are not caught up.
 */
export async function sendSummaries(trx: Knex.Transaction, deps: SummaryDeps, now: Date): Promise<void> {
  for (const settings of await listDueSummaries(trx, now, MAX_SUMMARIES_PER_POLL)) {
    if (settings.SummaryAt === null) continue;
    await moveSummary(trx, settings.UserId, nextMinute(now, settings.SummaryAt, settings.TimeZone));
    if (deps.canMail) await sendSummary(trx, deps, settings, now);
  }
}

async function sendSummary(
  trx: Knex.Transaction,
  deps: SummaryDeps,
  { UserId }: SettingsRow,
  now: Date,
): Promise<void> {
  const person = await findEmail(trx, UserId);
  if (!person) return;
  const since = new Date(now.getTime() - DAY_MS);
  const runs = await runsOf(trx, UserId, since);
  // One more than is shown tells whether there are more.
  const alerts = await alertsOf(trx, UserId, since, MAX_LINES + 1);
  const approvals = await deps.countApprovals(UserId);
  const words = mailWords(person.Language);
  const parts = [runsText(words, runs), alertsText(words, alerts), approvalsText(words, approvals)].filter(
    (part) => part !== '',
  );
  const text =
    parts.length === 0
      ? words.text('None of your runs ended in the last 24 hours, and nothing waits for you.')
      : parts.join('\n\n');
  const where = deps.address === null ? '' : `\n\n${deps.address}`;
  const Body = JSON.stringify({
    subject: `${deps.title}: ${words.text('daily summary')}`,
    text: `${words.text('Hello {name},', { name: person.FirstName })}\n\n${text}${where}\n`,
  });
  const mail = { Channel: 'Mail', Event: 'summary', SubjectId: null, TargetKey: 'mail' } as const;
  await insertDeliveries(trx, [{ ...mail, UserId, Body }]);
}

function runsText(words: MailWords, rows: readonly SummaryRuns[]): string {
  const ended = rows.filter(({ Status }) => !(PENDING_STATUSES as readonly string[]).includes(Status));
  if (ended.length === 0) return '';
  const total = ended.reduce((sum, { Count }) => sum + Count, 0);
  const failed = ended.filter(({ Status }) => isFailed(Status)).reduce((sum, { Count }) => sum + Count, 0);
  // Failed runs come first.
  const ordered = ended.toSorted(
    (a, b) => Number(isFailed(b.Status)) - Number(isFailed(a.Status)) || b.Count - a.Count,
  );
  const lines = ordered
    .slice(0, MAX_LINES)
    .map(({ Name, Status, Count }) => `- ${Name}: ${words.text(STATUS_TEXT[Status])}, ${Count}`);
  const more = ordered.length > MAX_LINES ? [`- ${words.text('and more')}`] : [];
  const head = words.text('Your runs of the last 24 hours: {total}, of which {failed} failed.', { total, failed });
  return [head, ...lines, ...more].join('\n');
}

function alertsText(words: MailWords, rows: readonly { OwnerName: string; Message: string }[]): string {
  if (rows.length === 0) return '';
  const lines = rows.slice(0, MAX_LINES).map(({ OwnerName, Message }) => `- ${OwnerName}: ${words.say(Message)}`);
  const more = rows.length > MAX_LINES ? [`- ${words.text('and more')}`] : [];
  return [words.text('Alerts that you received:'), ...lines, ...more].join('\n');
}

function approvalsText(words: MailWords, count: number): string {
  if (count === 0) return '';
  return count === 1
    ? words.text('1 approval waits for you.')
    : words.text('{count} approvals wait for you.', { count });
}
