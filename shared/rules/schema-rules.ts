/** Rules for the name of a schema. */
import { isOneLine } from './user-rules.ts';

export const SCHEMA_NAME_MAX = 30;
export const SCHEMA_DISPLAY_NAME_MAX = 60;

/**
 * Returns why no schema can be created under a name; null if one can. @param taken existing names, compared without
 * regard to case
 */
export function schemaNameIssue(name: string, taken: readonly string[]): string | null {
  const trimmed = name.trim();
  if (trimmed === '') return 'A name must be specified';
  if (trimmed.length > SCHEMA_NAME_MAX) return `A name must not exceed ${SCHEMA_NAME_MAX} characters`;
  if (!isOneLine(trimmed)) return 'A name must not contain line breaks or control characters';
  // The setting that lists schemas separates them by commas.
  if (trimmed.includes(',')) return 'A name must not contain a comma';
  const key = trimmed.toLowerCase();
  return taken.some((other) => other.toLowerCase() === key) ? `A schema ${trimmed} already exists` : null;
}

/** Returns why a display name is invalid; null if it is valid. */
export function schemaDisplayNameIssue(name: string): string | null {
  if (name.trim() === '') return 'A display name must be specified';
  return isOneLine(name) ? null : 'A display name must not contain line breaks or control characters';
}
