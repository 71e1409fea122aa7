import type { RightName } from '#shared/contract/rights.ts';
import { ALL, type Grant } from './grants.ts';

/** The rights that a visitor can hold, each with the key column for which the internet must have been granted it. */
const FOR_VISITORS: Partial<Record<string, string>> = {
  'sk.RunActivity': 'Id',
  'sk.UseConnection': 'Name',
} satisfies Partial<Record<RightName, string>>;

/**
 * Returns the internet's grants that apply to visitors. Other grants of the internet apply to people who sign in from
 * outside. Only grants that name one activity, or one connection for its pickers, apply to visitors.
 */
export const visitorGrants = (internet: readonly Grant[]): Grant[] =>
  internet.filter(({ RightName, KeyColumnName }) => KeyColumnName !== ALL && FOR_VISITORS[RightName] === KeyColumnName);
