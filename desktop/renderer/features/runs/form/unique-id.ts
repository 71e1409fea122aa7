/** Names a start, so that the same twice is one run. Not crypto.randomUUID: that exists on https and localhost only. */
export function createUniqueId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
