/** Names of files that steps create. */

/** Includes the extension. Some systems that people save to refuse longer names. */
const MAX_LENGTH = 150;

/** Names that Windows reserves for devices. */
const DEVICES = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

/**
 * Turns a text into a safe file name: no folders, no control characters, no leading dot, at most LONGEST characters.
 */
export function safeFileName(text: string): string {
  const dot = text.lastIndexOf('.');
  const ending = dot > 0 && text.length - dot <= 8 ? clean(text.slice(dot)) : '';
  const base = clean(ending === '' ? text : text.slice(0, dot)).replace(/^[. ]+|[. ]+$/g, '');
  const name = DEVICES.test(base) ? `_${base}` : base;
  return `${(name === '' ? 'File' : name).slice(0, MAX_LENGTH - ending.length)}${ending}`;
}

const clean = (text: string): string =>
  text
    // oxlint-disable-next-line no-control-regex -- taking control characters out is what it is for
    .replaceAll(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, '')
    .replaceAll(/[\\/:*?"<>|]/g, '-');

/** Returns the placeholders of a template such as '{Start Date}', without their braces. */
export function placeholders(template: string): string[] {
  return [...template.matchAll(/\{([^{}]*)\}/g)].map((match) => match[1]!.trim());
}

/** Replaces the placeholders of the template. */
export function fillTemplate(template: string, valueOf: (name: string) => string): string {
  return template.replaceAll(/\{([^{}]*)\}/g, (_, name: string) => valueOf(name.trim()));
}
