/**
 * Escapes text for a LIKE pattern with ESCAPE '!'. The character [ is escaped because it opens a character class on SQL
 * Server.
 */
export function escapeLike(text: string): string {
  return text.replaceAll(/[!%_[\]]/g, (character) => `!${character}`);
}
