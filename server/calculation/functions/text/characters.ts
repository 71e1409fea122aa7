/** Character codes, case, widths and non-printing characters. */
import type { CellError } from '#server/calculation/values/cell-value.ts';
import { NA_ERROR, VALUE_ERROR } from '#server/calculation/values/coerce.ts';
import type { FunctionDefinition } from '../function.ts';
import { typed } from '../typed.ts';
import { countsBytes } from './bytes.ts';

/** Characters 128 to 159 of Windows-1252; undefined codes stand for themselves. */
const WINDOWS_1252 =
  '\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f' +
  '\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178';

/** Characters 128 to 255 of Mac OS Roman. */
const MAC_ROMAN =
  'ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûü†°¢£§•¶ß®©™´¨≠ÆØ∞±≤≥¥µ∂∑∏π∫ªºΩæø' +
  '¿¡¬√ƒ≈∆«»…\u00a0ÀÃÕŒœ–—“”‘’÷◊ÿŸ⁄€‹›ﬁﬂ‡·‚„‰ÂÊÁËÈÍÎÏÌÓÔ\uf8ffÒÚÛÙıˆ˜¯˘˙˚¸˝˛ˇ';

/** Uses the character set of the machine: Excel for Mac has its own. Source: Microsoft, 'CHAR function'. */
function character(code: number, isMac: boolean): string | CellError {
  const number = Math.trunc(code);
  if (number < 1 || number > 255) return VALUE_ERROR;
  if (number < 128) return String.fromCharCode(number);
  if (isMac) return MAC_ROMAN[number - 128]!;
  return number < 160 ? WINDOWS_1252[number - 128]! : String.fromCharCode(number);
}

/** Characters missing from the character set have the code of '?', or of '_' on a Mac. */
function code(text: string, isMac: boolean): number | CellError {
  if (text === '') return VALUE_ERROR;
  const unit = text.charCodeAt(0);
  if (isMac) {
    const index = MAC_ROMAN.indexOf(text[0]!);
    return unit < 128 ? unit : index < 0 ? 95 : index + 128;
  }
  const special = WINDOWS_1252.indexOf(text[0]!);
  if (special >= 0) return special + 128;
  return unit < 256 ? unit : 63;
}

function unicodeCharacter(number: number): string | CellError {
  const point = Math.trunc(number);
  if (point < 1 || point > 0x10ffff) return VALUE_ERROR;
  if ((point >= 0xd800 && point <= 0xdfff) || (point & 0xfffe) === 0xfffe) return NA_ERROR;
  return String.fromCodePoint(point);
}

function codePoint(text: string): number | CellError {
  const point = text.codePointAt(0);
  return point === undefined || (point >= 0xd800 && point <= 0xdfff) ? VALUE_ERROR : point;
}

/** Excel changes letters one to one: a letter that would become two is unchanged ('ß'). */
function eachLetter(text: string, change: (text: string) => string): string {
  const changed = change(text);
  if (changed.length === text.length) return changed;
  return Array.from(text, (letter) => {
    const other = change(letter);
    return other.length === letter.length ? other : letter;
  }).join('');
}

const upper = (text: string): string => eachLetter(text, (part) => part.toUpperCase());
export const lower = (text: string): string => eachLetter(text, (part) => part.toLowerCase());

/** Capitalizes each letter that does not follow a letter. */
const proper = (text: string): string =>
  lower(text).replace(/\p{L}+/gu, (word) => {
    const first = String.fromCodePoint(word.codePointAt(0)!);
    return upper(first) + word.slice(first.length);
  });

/** Half-width katakana and their full-width letters; 'ﾞ' and 'ﾟ' follow the letter that they modify. */
const HALF = '｡｢｣､･ｦｧｨｩｪｫｬｭｮｯｰｱｲｳｴｵｶｷｸｹｺｻｼｽｾｿﾀﾁﾂﾃﾄﾅﾆﾇﾈﾉﾊﾋﾌﾍﾎﾏﾐﾑﾒﾓﾔﾕﾖﾗﾘﾙﾚﾛﾜﾝﾞﾟ';
const FULL =
  '。「」、・ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン゛゜';
const toHalf = new Map(Array.from(FULL, (letter, index) => [letter, HALF[index]!]));
const toFull = new Map(Array.from(HALF, (letter, index) => [letter, FULL[index]!]));

function halfWidth(text: string): string {
  let result = '';
  for (const letter of text) {
    const unit = letter.charCodeAt(0);
    if (unit >= 0xff01 && unit <= 0xff5e) result += String.fromCharCode(unit - 0xfee0);
    else if (unit === 0x3000) result += ' ';
    else if (unit >= 0x30a0 && unit <= 0x30ff) {
      // 'ガ' decomposes into 'カ' and a mark; decomposition produces combining marks.
      for (const part of letter.normalize('NFD')) {
        result += part === '\u3099' ? 'ﾞ' : part === '\u309a' ? 'ﾟ' : (toHalf.get(part) ?? part);
      }
    } else result += toHalf.get(letter) ?? letter;
  }
  return result;
}

function fullWidth(text: string): string {
  let result = '';
  for (const letter of text) {
    const unit = letter.charCodeAt(0);
    if (unit > 0x20 && unit < 0x7f) result += String.fromCharCode(unit + 0xfee0);
    else if (letter === ' ') result += '\u3000';
    else if (letter === 'ﾞ') result = (result + '\u3099').normalize('NFC');
    else if (letter === 'ﾟ') result = (result + '\u309a').normalize('NFC');
    else result += toFull.get(letter) ?? letter;
  }
  return result;
}

/** Escapes the characters that a URL can contain only escaped, in UTF-8. Source: RFC 3986, 2.3. */
function encodeUrl(text: string): string | CellError {
  try {
    return encodeURIComponent(text).replace(
      /[!'()*]/g,
      (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
    );
  } catch {
    return VALUE_ERROR;
  }
}

export const characterFunctions: FunctionDefinition[] = [
  typed('CHAR', 'n', ([number], { isMac }) => character(number, isMac)),
  typed('CODE', 't', ([text], { isMac }) => code(text, isMac)),
  typed('UNICHAR', 'n', ([number]) => unicodeCharacter(number)),
  typed('UNICODE', 't', ([text]) => codePoint(text)),
  typed('UPPER', 't', ([text]) => upper(text)),
  typed('LOWER', 't', ([text]) => lower(text)),
  typed('PROPER', 't', ([text]) => proper(text)),
  // eslint-disable-next-line no-control-regex
  typed('CLEAN', 't', ([text]) => text.replace(/[\u0000-\u001f]/g, '')),
  typed('ASC', 't', ([text]) => halfWidth(text)),
  // Has no effect in other languages.
  typed('DBCS', 't', ([text]) => (countsBytes() ? fullWidth(text) : text)),
  typed('ENCODEURL', 't', ([text]) => encodeUrl(text)),
];
