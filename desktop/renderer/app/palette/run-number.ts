/**
 * Returns the number of a run that a query asks for, such as '12', '#12' or 'Run 12'; 0 for any other query.
 * @param word the word for a run in the user's language
 */
export function runNumber(query: string, word: string): number {
  const found = /^(?:(\p{L}+)\s*)?#?\s*(\d{1,15})$/u.exec(query.trim());
  const typed = found?.[1]?.toLowerCase();
  if (!found || (typed !== undefined && typed !== 'run' && typed !== word.trim().toLowerCase())) return 0;
  return Number(found[2]);
}
