/** Search filters of directories. Source: RFC 4515. */

/**
 * Escapes a text for use as a filter value: characters that would end the value or act as a wildcard are written as
 * bytes.
 */
function escapeFilterValue(text: string): string {
  // oxlint-disable-next-line no-control-regex -- RFC 4515 names NUL
  return text.replaceAll(/[\\*()\u0000]/g, (character) => `\\${character.charCodeAt(0).toString(16).padStart(2, '0')}`);
}

/** Returns the filter for one user. {name} in the template is replaced by the escaped name. */
export function userFilter(template: string, name: string): string {
  return template.replaceAll('{name}', () => escapeFilterValue(name));
}
