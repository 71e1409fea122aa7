import type { InputIssue } from '#shared/rules/input-rules.ts';

/** A message with the row it is about. */
export const issueText = ({ message, row }: InputIssue): string =>
  row === undefined ? message : `${message} (row ${row + 1})`;
