import type { RuleScope } from '#shared/contract/alert-rule-scopes.ts';
import type { AlertReceivers } from '#shared/contract/alerts.ts';

/** Returns whether receivers are named but no channel can reach them. */
export const hasNoChannel = ({ Roles, UserIds, ByBell, ByMail }: AlertReceivers, canMail: boolean): boolean =>
  Roles.length + UserIds.length > 0 && !ByBell && !(ByMail && canMail);

/** Returns whether a rule with this scope needs a schema, a group or a pattern. */
export const needsScopeValue = (scope: RuleScope): boolean => ['Schema', 'Group', 'Pattern'].includes(scope);

/**
 * Returns whether a whole name matches a pattern, ignoring case: * stands for any text, ? for one character. Takes
 * steps proportional to the product of the lengths, whatever the pattern; a regular expression may take far more.
 */
export function matchesPattern(pattern: string, name: string): boolean {
  const wanted = Array.from(pattern.trim().toLowerCase());
  const given = Array.from(name.trim().toLowerCase());
  let at = 0;
  /** Position after the last *, and how much of the name this * has covered. */
  let star: { next: number; covered: number } | null = null;
  for (let read = 0; read < given.length;) {
    if (wanted[at] === '*') {
      at += 1;
      star = { next: at, covered: read };
    } else if (at < wanted.length && (wanted[at] === '?' || wanted[at] === given[read])) {
      at += 1;
      read += 1;
    } else if (star) {
      star.covered += 1;
      at = star.next;
      read = star.covered;
    } else return false;
  }
  return wanted.slice(at).every((sign) => sign === '*');
}
