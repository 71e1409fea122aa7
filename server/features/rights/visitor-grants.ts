import type { RightName } from '#shared/contract/rights.ts';
import { ALL, type Grant } from './grants.ts';

/** What a visitor can hold, and the key column by which the internet must have been granted it. */
const FOR_VISITORS: Partial<Record<string, string>> = {
  'sk.RunActivity': 'Id',
  'sk.UseConnection': 'Name',
} satisfies Partial<Record<RightName, string>>;

/**
 * Of the internet's grants those that open something to visitors. The internet's grants also say what people bring along who sign in from
 * outside; so only those count that name one activity, or one connection of its pickers.
 */
export const visitorGrants = (internet: readonly Grant[]): Grant[] =>
  internet.filter(({ RightName, KeyColumnName }) => KeyColumnName !== ALL && FOR_VISITORS[RightName] === KeyColumnName);
