/** Text for a LIKE pattern with ESCAPE '!'; [ opens a character class on SQL Server. */
export function escapeLike(text: string): string {
  return text.replaceAll(/[!%_[\]]/g, (character) => `!${character}`);
}
