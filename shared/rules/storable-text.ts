const NUL = '\u0000';

export const NUL_REFUSED = 'The request contains a character that cannot be stored (U+0000)';

/**
 * Returns whether any text in a JSON value, including field names, contains the NUL character. Not recursive, because
 * bodies may be deeply nested.
 */
export function hasNul(value: unknown): boolean {
  const open: unknown[] = [value];
  while (open.length > 0) {
    const item = open.pop();
    if (typeof item === 'string') {
      if (item.includes(NUL)) return true;
    } else if (Array.isArray(item)) {
      for (const part of item) open.push(part);
    } else if (typeof item === 'object' && item !== null && !ArrayBuffer.isView(item)) {
      for (const [name, part] of Object.entries(item)) open.push(name, part);
    }
  }
  return false;
}
