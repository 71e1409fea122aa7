/** What alerts say: in mails, and in the formats of Teams and Slack. What people and workbooks wrote is never read as markup. */
export interface AlertMessage {
  /** Of the installation. */
  title: string;
  /** Of the activity or checklist. */
  name: string;
  alertName: string;
  message: string;
  isTest: boolean;
  /** Whether it comes as nobody has looked. */
  isEscalated: boolean;
  /** Null where the address of the portal is not known. */
  link: string | null;
}

const SUBJECT_MAX = 150;
const HEADER_MAX = 150;
const oneLine = (text: string): string => text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();

function headOf({ name, alertName, isTest, isEscalated }: AlertMessage): string {
  const before = isTest ? 'Test of an alert: ' : isEscalated ? 'Nobody has looked yet: ' : '';
  return oneLine(`${before}${name}: ${alertName}`);
}

export function mailOf(told: AlertMessage): { subject: string; text: string } {
  const where = told.link ?? `Look for it in ${told.title}.`;
  return {
    subject: oneLine(`${told.title}: ${headOf(told)}`).slice(0, SUBJECT_MAX),
    text: `${headOf(told)}\n\n${told.message}\n\n${where}\n`,
  };
}

/** An adaptive card, as a workflow of Teams takes it. Texts are runs of text, in which Markdown means nothing. */
export function teamsOf(told: AlertMessage): object {
  const text = (of: string, more: object = {}) => ({
    type: 'RichTextBlock',
    inlines: [{ type: 'TextRun', text: of, ...more }],
  });
  const body = [text(headOf(told), { weight: 'Bolder', size: 'Medium' }), text(told.message)];
  const actions = told.link === null ? [] : [{ type: 'Action.OpenUrl', title: 'Open', url: told.link }];
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

/** Slack reads these three in the text that stands in notifications. */
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

export function slackOf(told: AlertMessage): object {
  const plain = (text: string) => ({ type: 'plain_text', text, emoji: false });
  const open = { type: 'button', text: plain('Open'), url: told.link };
  return {
    text: escaped(`${headOf(told)}: ${told.message}`),
    blocks: [
      { type: 'header', text: plain(headOf(told).slice(0, HEADER_MAX)) },
      { type: 'section', text: plain(told.message) },
      ...(told.link === null ? [] : [{ type: 'actions', elements: [open] }]),
    ],
  };
}
