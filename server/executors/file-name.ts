/** Names of files that steps make. */

/** With its ending; longer ones are refused by some systems that people save to. */
const LONGEST = 150;

/** Names that Windows keeps for devices. */
const DEVICES = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

/** A text as the name of a file: no folders, no control characters, not hidden, not endless. */
export function safeFileName(text: string): string {
  const dot = text.lastIndexOf('.');
  const ending = dot > 0 && text.length - dot <= 8 ? clean(text.slice(dot)) : '';
  const base = clean(ending === '' ? text : text.slice(0, dot)).replace(/^[. ]+|[. ]+$/g, '');
  const name = DEVICES.test(base) ? `_${base}` : base;
  return `${(name === '' ? 'File' : name).slice(0, LONGEST - ending.length)}${ending}`;
}

const clean = (text: string): string =>
  text
    // oxlint-disable-next-line no-control-regex -- taking control characters out is what it is for
    .replaceAll(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, '')
    .replaceAll(/[\\/:*?"<>|]/g, '-');

/** Placeholders of a template, '{Start Date}', without their braces. */
export function placeholders(template: string): string[] {
  return [...template.matchAll(/\{([^{}]*)\}/g)].map((match) => match[1]!.trim());
}

/** The template with its placeholders filled in. */
export function fillTemplate(template: string, valueOf: (name: string) => string): string {
  return template.replaceAll(/\{([^{}]*)\}/g, (_, name: string) => valueOf(name.trim()));
}
