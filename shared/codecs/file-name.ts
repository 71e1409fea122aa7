/**
 * Returns the last path segment of the file name in the header, so that a name can never point outside the target
 * folder. @param disposition the content-disposition header
 */
export function fileName(disposition: string): string {
  const [, encoded] = /filename\*=UTF-8''([^;]+)/i.exec(disposition) ?? [];
  const [, plain] = /filename="((?:[^"\\]|\\.)*)"/i.exec(disposition) ?? /filename=([^;]+)/i.exec(disposition) ?? [];
  const decoded = encoded === undefined ? (plain ?? '').replace(/\\(.)/g, '$1') : decode(encoded);
  const name = decoded
    .split(/[/\\]/)
    .at(-1)!
    .replace(/[\p{Cc}<>:"|?*]/gu, '_')
    .trim();
  return /^\.*$/.test(name) ? 'download' : name;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
