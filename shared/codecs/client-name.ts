/** Derives readable program names from User-Agent headers. */

/** The first match wins, because browsers also name the browsers they claim to be compatible with. */
const BROWSERS: readonly [RegExp, string][] = [
  [/\bEdgA?(iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/Chrome\/|\bCriOS\//, 'Chrome'],
  [/\bVersion\/.* Safari\//, 'Safari'],
];

const SYSTEMS: readonly [RegExp, string][] = [
  [/\bAndroid\b/, 'Android'],
  [/\b(iPhone|iPad)\b/, 'iOS'],
  [/\bWindows NT\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

const MAX_NAME_LENGTH = 60;

/**
 * Returns a name such as 'Firefox on Windows' for a User-Agent header; an unknown program is shown by its own text.
 * Clients can send any text: it helps owners tell their sessions apart, but proves nothing.
 */
export function clientName(userAgent: string): string {
  const browser = nameIn(BROWSERS, userAgent);
  const system = nameIn(SYSTEMS, userAgent);
  if (browser !== undefined) return system === undefined ? browser : `${browser} on ${system}`;
  if (userAgent.trim() === '') return 'Unknown program';
  return userAgent.length > MAX_NAME_LENGTH ? `${userAgent.slice(0, MAX_NAME_LENGTH)}…` : userAgent;
}

function nameIn(names: readonly [RegExp, string][], text: string): string | undefined {
  return names.find(([pattern]) => pattern.test(text))?.[1];
}
