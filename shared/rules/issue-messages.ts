/** Formats the problems of inputs for the response of a refused start. */
import type { InputIssue } from './input-rules.ts';

/** Maximum number of rows named in a message. */
const MAX_ROWS_NAMED = 10;

/** Returns each message once, with the rows it applies to: 'Value in column Day must be specified (row 3)'. */
export function issueMessages(issues: readonly Pick<InputIssue, 'message' | 'row'>[]): string[] {
  const byMessage = Map.groupBy(issues, ({ message }) => message);
  return [...byMessage].map(([message, alike]) => {
    const rows = [...new Set(alike.flatMap(({ row }) => (row === undefined ? [] : [row + 1])))];
    if (rows.length === 0) return message;
    if (rows.length === 1) return `${message} (row ${rows[0]})`;
    const more = rows.length > MAX_ROWS_NAMED ? ', …' : '';
    return `${message} (rows ${rows.slice(0, MAX_ROWS_NAMED).join(', ')}${more})`;
  });
}
