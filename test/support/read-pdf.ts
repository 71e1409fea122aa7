/** Reads the texts of PDF files that pdfmake wrote, by the tables of their fonts that programs use to copy text. */
import { inflateSync } from 'node:zlib';

export interface ReadPdf {
  /** The lines of each page. Cells of a line are separated by '|'. */
  pages: string[];
  language: string | undefined;
}

/** pdfmake writes a line in pieces that end where it could be broken. */
const CONTINUED = /[\s/!-]$/;

export function readPdf(bytes: Uint8Array): ReadPdf {
  const file = Buffer.from(bytes).toString('latin1');
  const objects = new Map(
    Array.from(file.matchAll(/(\d+) 0 obj\n([\s\S]*?)\nendobj/g), ([, id, body]) => [id!, body!] as const),
  );
  const bodyOf = (id: string | undefined): string => objects.get(id ?? '') ?? '';
  const [, kids = ''] = /\/Kids \[([^\]]*)\]/.exec(file) ?? [];
  const pages = Array.from(kids.matchAll(/(\d+) 0 R/g), ([, id]) => {
    const page = bodyOf(id);
    const resources = bodyOf(/\/Resources (\d+) 0 R/.exec(page)?.[1]);
    const fonts = Array.from(resources.matchAll(/\/(F\d+) (\d+) 0 R/g), ([, name, font]): [string, string[]] => {
      const unicode = /\/ToUnicode (\d+) 0 R/.exec(bodyOf(font))?.[1];
      return [name!, charactersOf(inflated(bodyOf(unicode)))];
    });
    return linesOf(inflated(bodyOf(/\/Contents (\d+) 0 R/.exec(page)?.[1])), new Map(fonts));
  });
  return { pages, language: /\/Lang \((\w+)\)/.exec(file)?.[1] };
}

function inflated(body: string): string {
  const start = body.indexOf('stream\n');
  const end = body.lastIndexOf('\nendstream');
  if (start === -1 || end === -1) return '';
  return inflateSync(Buffer.from(body.slice(start + 'stream\n'.length, end), 'latin1')).toString('latin1');
}

/** Returns the characters of a font by the number of their glyph. */
function charactersOf(map: string): string[] {
  const characters: string[] = [];
  for (const [, first, list] of map.matchAll(/<([\da-f]{4})> <[\da-f]{4}> \[([^\]]*)\]/g)) {
    for (const [index, [, codes]] of Array.from(list!.matchAll(/<([\da-f ]*)>/g)).entries()) {
      const units = codes!.replaceAll(' ', '').match(/.{4}/g) ?? [];
      characters[Number.parseInt(first!, 16) + index] = String.fromCharCode(
        ...units.map((unit) => Number.parseInt(unit, 16)),
      );
    }
  }
  return characters;
}

function linesOf(content: string, fonts: ReadonlyMap<string, string[]>): string {
  let [text, y, font] = ['', '', ''];
  for (const [, at, name, glyphs] of content.matchAll(/ (-?[\d.]+) Tm|\/(F\d+) [\d.]+ Tf|\[([^\]]*)\] TJ/g)) {
    if (name !== undefined) font = name;
    else if (at !== undefined) {
      if (y !== '' && at !== y) text += '\n';
      y = at;
    } else {
      const shown = Array.from(glyphs!.matchAll(/<([\da-f]*)>/g), ([, hex]) =>
        (hex!.match(/.{4}/g) ?? []).map((glyph) => fonts.get(font)?.[Number.parseInt(glyph, 16)] ?? '?').join(''),
      ).join('');
      text += text === '' || CONTINUED.test(text) ? shown : `|${shown}`;
    }
  }
  return text;
}
