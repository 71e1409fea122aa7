import type { InputIssue } from '#shared/rules/input-rules.ts';
import { said, t } from '#renderer/language/translate.ts';

/** Returns the message with its row number. */
export const issueText = ({ message, row }: InputIssue): string =>
  row === undefined ? said(message) : t('{message} (row {row})', { message: said(message), row: row + 1 });
