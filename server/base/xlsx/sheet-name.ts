const MAX_LENGTH = 31;

/** Returns a valid sheet name: without what Excel refuses, and `other` if nothing is left or Excel reserves the name. */
export function sheetName(name: string, other: string): string {
  const clean = name
    .replaceAll(/[\\/?*[\]:]/g, ' ')
    .replaceAll(/^'|'$/g, '')
    .trim()
    .slice(0, MAX_LENGTH);
  return clean === '' || clean.toLowerCase() === 'history' ? other : clean;
}
