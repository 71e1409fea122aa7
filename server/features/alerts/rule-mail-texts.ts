/** Texts of the mails about rules, in the language of the reader. Text of users and workbooks stays plain text. */
import { mailWords, type MailWords } from '#server/mail/mail-language.ts';
import type { AlertScope } from '#shared/contract/alert-rule-scopes.ts';
import { LogCategory, OUTCOME_TEXT } from '#shared/contract/run-status.ts';
import { factLines, oneLine, type MailFacts, type MailReader } from './alert-messages.ts';

/** Runs of which a mail says the same. */
export interface MailedGroup {
  /** Name of the activity, checklist or workflow. */
  name: string;
  message: string;
  category: number;
  /** The newest firing. */
  firingId: number;
  count: number;
  /** Null if there are several runs, or if the mail reports the details of enough others. */
  facts: MailFacts | null;
}

export interface RuleMail {
  groups: readonly MailedGroup[];
  /** Number of runs that no group counts. */
  further: number;
  /** Why the reader gets the mail. */
  reason: { scope: AlertScope | null; rule: string; isOwn: boolean };
  /** Name of the installation. */
  title: string;
  /** Public URL of the portal, ending with a slash; null if none is configured. */
  address: string | null;
  reader: Omit<MailReader, 'facts'>;
}

const SUBJECT_MAX = 150;
const MAX_GROUPS = 20;

export function ruleMail(mail: RuleMail): { subject: string; text: string } {
  const { groups, further, title, address, reader } = mail;
  const words = mailWords(reader.language);
  const total = groups.reduce((sum, { count }) => sum + count, further);
  // Problems come first.
  const ordered = groups.toSorted((a, b) => b.category - a.category);
  const [first] = ordered;
  const head =
    first && groups.length === 1 && further === 0
      ? lineOf(words, first)
      : words.text('{count} alerts', { count: total });
  const shown = ordered.slice(0, MAX_GROUPS);
  const left = total - shown.reduce((sum, { count }) => sum + count, 0);
  const parts = shown.map((group) => groupText(words, mail, group, ordered.length === 1 ? '' : '- '));
  if (left > 0) parts.push(words.text('and {count} more', { count: left }));
  if (ordered.length === 1) parts.push(reasonText(words, mail));
  if (address === null) parts.push(words.text('Look for it in {title}.', { title }));
  else {
    const all = words.text('All notifications: {link}', { link: `${address}notifications` });
    const settings = `${address}notifications/settings`;
    parts.push(`${all}\n${words.text('Choose what you are notified of: {link}', { link: settings })}`);
  }
  return { subject: oneLine(`${title}: ${head}`).slice(0, SUBJECT_MAX), text: `${parts.join('\n\n')}\n` };
}

function lineOf(words: MailWords, { name, message, category, count }: MailedGroup): string {
  const values = { name: oneLine(name), message: words.say(message), count };
  if (count === 1) return `${values.name}: ${values.message}`;
  return category <= LogCategory.Information && message === OUTCOME_TEXT.Succeeded
    ? words.text('{count} runs of {name} succeeded', values)
    : words.text('{name}: {message} ({count} runs)', values);
}

function groupText(words: MailWords, { address, reader }: RuleMail, group: MailedGroup, mark: string): string {
  const facts = group.facts === null ? [] : factLines(words, { ...reader, facts: group.facts });
  const link = address === null ? [] : [`${address}alerts/firings/${group.firingId}`];
  const indent = mark === '' ? '' : '  ';
  return [`${mark}${lineOf(words, group)}`, ...[...facts, ...link].map((line) => `${indent}${line}`)].join('\n');
}

function reasonText(words: MailWords, { reason: { scope, rule, isOwn } }: RuleMail): string {
  if (scope === 'Owner') return words.text('You receive this email because you own this activity or workflow.');
  if (scope === 'Starter') return words.text('You receive this email because you started the run.');
  const values = { rule: oneLine(rule) };
  return isOwn
    ? words.text('You receive this email because of your alert rule “{rule}”.', values)
    : words.text('You receive this email because of the alert rule “{rule}”.', values);
}
