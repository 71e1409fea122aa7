/** The last part of what the portal calls a file: a name never leads out of the folder. @param disposition the header content-disposition */
export function fileName(disposition: string): string {
  const [, encoded] = /filename\*=UTF-8''([^;]+)/i.exec(disposition) ?? [];
  const [, plain] = /filename="((?:[^"\\]|\\.)*)"/i.exec(disposition) ?? /filename=([^;]+)/i.exec(disposition) ?? [];
  const given = encoded === undefined ? (plain ?? '').replace(/\\(.)/g, '$1') : decode(encoded);
  const name = given
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
