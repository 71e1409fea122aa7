/** Search filters of directories. Source: RFC 4515. */

/** A text as a value within a filter: what would end the value or match more than itself is written as its bytes. */
export function escapeFilterValue(text: string): string {
  // oxlint-disable-next-line no-control-regex -- RFC 4515 names NUL
  return text.replaceAll(/[\\*()\u0000]/g, (character) => `\\${character.charCodeAt(0).toString(16).padStart(2, '0')}`);
}

/** The filter for one user; {name} in the template stands for the name. */
export function userFilter(template: string, name: string): string {
  return template.replaceAll('{name}', () => escapeFilterValue(name));
}
