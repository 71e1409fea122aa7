/** Parses the JSON text that stores the mappings of a link. Source: specification of activities, section 3. */
import type { LinkMapping } from '../contract/links.ts';

const FIELDS = ['source', 'target', 'ReadOnly'];

/** Returns the mappings of a link; null if the text is not a list of mappings. */
export function parseLinkInfo(json: string): LinkMapping[] | null {
  let parsed: unknown;
  try {
    parsed = JSON.parse(json);
  } catch {
    return null;
  }
  return Array.isArray(parsed) && parsed.every(isMapping) ? parsed : null;
}

export const formatLinkInfo = (mappings: readonly LinkMapping[]): string =>
  JSON.stringify(mappings.map(({ source, target, ReadOnly }) => ({ source, target, ReadOnly })));

function isMapping(value: unknown): value is LinkMapping {
  if (typeof value !== 'object' || value === null) return false;
  const { source, target, ReadOnly } = value as Record<string, unknown>;
  const known = Object.keys(value).every((name) => FIELDS.includes(name));
  const isList = Array.isArray(ReadOnly) && ReadOnly.every((one) => typeof one === 'boolean');
  return known && isId(source) && isId(target) && isList;
}

const isId = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) > 0;
