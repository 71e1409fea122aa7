/** Formats file sizes for display. Source: specification of activities, section 9. */

const UNITS = ['Bytes', 'KB', 'MB', 'GB', 'TB'] as const;

/** '0 Bytes', '1.5 KB', '20 MB': base 1024, at most two decimals. */
export function formatFileSize(bytes: number): string {
  let size = Math.max(0, bytes);
  let unit = 0;
  while (size >= 1024 && unit < UNITS.length - 1) {
    size /= 1024;
    unit += 1;
  }
  return `${Number(size.toFixed(2))} ${UNITS[unit]}`;
}
