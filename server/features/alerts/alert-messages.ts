/**
 * Texts of alerts: for mails, and in the formats of Teams and Slack. Text written by users or workbooks is never
 * interpreted as markup.
 */
import { mailWords, type MailWords } from '#server/mail/mail-language.ts';
import type { Language } from '#shared/contract/auth.ts';
import { duration } from './alert-conditions.ts';

export interface AlertMessage {
  /** Name of the installation. */
  title: string;
  /** Name of the activity or checklist; '' for the test of a rule. */
  name: string;
  alertName: string;
  message: string;
  isTest: boolean;
  /** True if the message is sent because nobody has seen the alert yet. */
  isEscalated: boolean;
  /** Null if the portal's address is not configured. */
  link: string | null;
  /** Facts about the run for channels; a mail words them in the language of its reader. */
  lines?: readonly string[];
}

/** Facts about the run that the reader of a mail may know. */
export interface MailFacts {
  starter: string;
  started: Date;
  /** Null while the run is in progress. */
  ended: Date | null;
  step: string | null;
  error: string | null;
}

/** The person that a mail is written for. */
export interface MailReader {
  /** Null if they have not chosen a language. */
  language: Language | null;
  timeZone: string;
  /** Null if the alert is not about a run. */
  facts: MailFacts | null;
  /** When the alert fired. */
  time: Date;
}

const SUBJECT_MAX = 150;
const HEADER_MAX = 150;
/** Slack refuses longer sections. */
const SECTION_MAX = 3000;
export const oneLine = (text: string): string => text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();

function headOf({ name, alertName, isTest, isEscalated }: AlertMessage, words = mailWords(null)): string {
  const head = name === '' ? alertName : `${name}: ${alertName}`;
  if (isTest) return oneLine(words.text('Test of an alert: {head}', { head }));
  return oneLine(isEscalated ? words.text('Escalated, not opened yet: {head}', { head }) : head);
}

export function mailOf(alertMessage: AlertMessage, reader: MailReader): { subject: string; text: string } {
  const words = mailWords(reader.language);
  const head = headOf(alertMessage, words);
  const where = alertMessage.link ?? words.text('Look for it in {title}.', { title: alertMessage.title });
  const parts = [head, words.say(alertMessage.message), factLines(words, reader).join('\n'), where];
  return { subject: oneLine(`${alertMessage.title}: ${head}`).slice(0, SUBJECT_MAX), text: `${parts.join('\n\n')}\n` };
}

export function factLines(words: MailWords, { facts, time, timeZone }: Omit<MailReader, 'language'>): string[] {
  const at = (instant: Date): string => words.time(instant, timeZone);
  if (facts === null) return [words.text('Time: {time}', { time: at(time) })];
  const { error, step, starter, started, ended } = facts;
  return [
    ...(error === null ? [] : [words.text('Error: {error}', { error: oneLine(error) })]),
    ...(step === null ? [] : [words.text('Step: {step}', { step: oneLine(step) })]),
    ...(starter === '' ? [] : [words.text('Started by: {name}', { name: oneLine(starter) })]),
    words.text('Started: {time}', { time: at(started) }),
    ...(ended === null ? [] : [words.text('Ended: {time}', { time: at(ended) })]),
    ...(ended === null ? [] : [words.text('Duration: {duration}', { duration: durationOf(started, ended) })]),
  ];
}

/** Includes the time in the queue, as everyone waits for it too. */
const durationOf = (started: Date, ended: Date): string => duration((ended.getTime() - started.getTime()) / 1000);

/** Builds an adaptive card for a Teams workflow. The texts are TextRuns, which do not interpret Markdown. */
export function teamsOf(alertMessage: AlertMessage): object {
  const text = (of: string, more: object = {}) => ({
    type: 'RichTextBlock',
    inlines: [{ type: 'TextRun', text: of, ...more }],
  });
  const head = text(headOf(alertMessage), { weight: 'Bolder', size: 'Medium' });
  const body = [head, text(alertMessage.message), ...(alertMessage.lines ?? []).map((line) => text(line))];
  const actions = alertMessage.link === null ? [] : [{ type: 'Action.OpenUrl', title: 'Open', url: alertMessage.link }];
  return {
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          body,
          actions,
        },
      },
    ],
  };
}

/** Slack interprets these three characters in the notification text. */
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

export function slackOf(alertMessage: AlertMessage): object {
  const plain = (text: string) => ({ type: 'plain_text', text, emoji: false });
  const lines = (alertMessage.lines ?? []).join('\n').slice(0, SECTION_MAX);
  const open = { type: 'button', text: plain('Open'), url: alertMessage.link };
  return {
    text: escaped(`${headOf(alertMessage)}: ${alertMessage.message}`),
    blocks: [
      { type: 'header', text: plain(headOf(alertMessage).slice(0, HEADER_MAX)) },
      { type: 'section', text: plain(alertMessage.message.slice(0, SECTION_MAX)) },
      ...(lines === '' ? [] : [{ type: 'section', text: plain(lines) }]),
      ...(alertMessage.link === null ? [] : [{ type: 'actions', elements: [open] }]),
    ],
  };
}
