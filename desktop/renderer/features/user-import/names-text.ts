import type { User } from '#shared/contract/users.ts';
import { t } from '#renderer/language/translate.ts';

const MAX_NAMES = 5;

/** 'ann, bob and 7 others'. */
export function namesText(users: readonly User[]): string {
  const names = users.slice(0, MAX_NAMES).map(({ UserName }) => UserName);
  const others = users.length - names.length;
  if (others === 0) return names.join(', ');
  return t('{names} and {others, plural, one {# other} other {# others}}', { names: names.join(', '), others });
}
