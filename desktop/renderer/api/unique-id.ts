/**
 * Creates the id of a start, so that sending it twice starts only one run. crypto.randomUUID is not used because it
 * exists only on https and localhost.
 */
export function createUniqueId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
