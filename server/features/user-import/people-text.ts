/**
 * Reads the people of a pasted or dropped text: mail addresses as mail programs copy them, or CSV with headings.
 */
import { CsvError, parse, type Info } from 'csv-parse/sync';
import type { NameFrom } from '#shared/contract/user-import.ts';
import { cutName } from '#shared/rules/user-rules.ts';
import { AppError } from '#server/base/app-error.ts';
import { singleAddress, type MailAddress } from '#server/mail/mail-addresses.ts';

export interface ReadPerson {
  /** Line of the text; the first one is 1. */
  line: number;
  UserName: string;
  FirstName: string;
  MiddleName: string;
  LastName: string;
  Email: string;
  Roles: string[];
  /** True if the text contains no user name, so that the person is recognized by the address. */
  isNamedByAddress: boolean;
  problems: string[];
}

export interface ReadPeople {
  people: ReadPerson[];
  unusedColumns: string[];
}

const FIELDS = ['UserName', 'FirstName', 'MiddleName', 'LastName', 'Email', 'Roles'] as const;
type Field = (typeof FIELDS)[number];
type Cells = Partial<Record<Field, string>>;

/** Further headings of spreadsheets and other programs, without spaces, hyphens and capitals. */
const HEADINGS: Readonly<Record<string, Field>> = {
  ...Object.fromEntries(FIELDS.map((field) => [field.toLowerCase(), field])),
  user: 'UserName',
  login: 'UserName',
  givenname: 'FirstName',
  surname: 'LastName',
  familyname: 'LastName',
  mail: 'Email',
  emailaddress: 'Email',
  role: 'Roles',
  benutzername: 'UserName',
  vorname: 'FirstName',
  nachname: 'LastName',
  emailadresse: 'Email',
  rollen: 'Roles',
};
const MAX_PART_LENGTH = 400;
const SHOWN_LENGTH = 80;
/** Texts between commas; a comma between quotation marks separates nothing. */
const OUTSIDE_QUOTES = /(?:"[^"]*"|[^",])+/g;
const DELIMITERS = ['\t', ';', ','] as const;
/** Separates roles in a cell, as in the files of `runsheet users export`. */
const ROLE_SEPARATOR = '|';
/** The character that the export puts before texts that a spreadsheet program would take for formulas. */
const ESCAPED = /^'(?=[=+\-@\t\r＝＋－＠])/;

export function readPeople(text: string, nameFrom: NameFrom): ReadPeople {
  const content = text.replace(/^\uFEFF/, '');
  const delimiter = delimiterOf(content);
  return delimiter === null ? readAddresses(content, nameFrom) : readCsv(content, delimiter, nameFrom);
}

const fieldOf = (heading: string): Field | undefined => {
  const key = heading.toLowerCase().replaceAll(/[\s_-]/g, '');
  return Object.hasOwn(HEADINGS, key) ? HEADINGS[key] : undefined;
};

/** Returns what separates the headings; null if the first line has no headings, so that the text lists addresses. */
function delimiterOf(content: string): string | null {
  const [heading = ''] = content.trimStart().split(/\r?\n/, 1);
  const unquoted = heading.replaceAll('"', '');
  const found = DELIMITERS.find((delimiter) => heading.includes(delimiter)) ?? ',';
  const fields = unquoted.split(found).map(fieldOf);
  return fields.includes('UserName') || fields.includes('Email') ? found : null;
}

interface Line {
  line: number;
  record: string[];
}

function readCsv(content: string, delimiter: string, nameFrom: NameFrom): ReadPeople {
  const [headings, ...lines] = parseLines(content, delimiter);
  const fields = headings!.record.map(fieldOf);
  const doubled = fields.find((field, index) => field !== undefined && fields.indexOf(field) !== index);
  if (doubled !== undefined) throw notReadable(`The column ${doubled} appears twice.`);
  return {
    people: lines.map(({ line, record }) => {
      const cells: Cells = {};
      for (const [index, field] of fields.entries()) {
        if (field !== undefined) cells[field] = (record[index] ?? '').trim().replace(ESCAPED, '');
      }
      const problems = record.length === fields.length ? [] : ['This line does not have one cell for each heading'];
      return personOf(line, cells, { nameFrom, problems });
    }),
    unusedColumns: headings!.record.filter((_, index) => fields[index] === undefined).map((name) => name.trim()),
  };
}

function parseLines(content: string, delimiter: string): Line[] {
  const options = { skip_empty_lines: true, relax_column_count: true, info: true, delimiter } as const;
  try {
    const found = parse(content, options) as unknown as { info: Info; record: string[] }[];
    return found.map(({ info, record }) => ({ line: info.lines, record }));
  } catch (cause) {
    if (!(cause instanceof CsvError)) throw cause;
    throw notReadable('A quotation mark is not closed, or stands inside a cell.', cause);
  }
}

function notReadable(reason: string, cause?: unknown): AppError {
  return new AppError('peopleText', 400, `The list cannot be read. ${reason}`, { cause });
}

function readAddresses(content: string, nameFrom: NameFrom): ReadPeople {
  const people = content.split(/\r?\n|\r/).flatMap((text, index) =>
    addressesIn(text).map((part) => {
      const found = addressIn(part);
      const problems = found ? [] : [`'${part.slice(0, SHOWN_LENGTH)}' is not a valid email address`];
      const cells = found ? { Email: found.address, ...namesIn(found.name) } : { Email: part };
      return personOf(index + 1, cells, { nameFrom, problems });
    }),
  );
  return { people, unusedColumns: [] };
}

/** Longer parts are no addresses. Parsing them as such would take quadratic time. */
const addressIn = (part: string): MailAddress | null => (part.length > MAX_PART_LENGTH ? null : singleAddress(part));

/** Splits a line where an address ends. A comma also separates the names in 'Lee, Ann <ann@example.com>'. */
function addressesIn(line: string): string[] {
  const parts = line.split(/[;\t]/).flatMap((part) => {
    if (part.split('@').length === 2 && addressIn(part)) return [part];
    const smaller = (part.match(OUTSIDE_QUOTES) ?? []).flatMap((each) => each.split(/(?<=>)/));
    return smaller.flatMap((each) => (each.includes('<') || !each.includes('@') ? [each] : each.trim().split(/\s+/)));
  });
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

/** 'Ann Lee' and 'Lee, Ann'. */
function namesIn(name: string): Pick<Cells, 'FirstName' | 'LastName'> {
  const [last = '', first] = name.split(',', 2).map((part) => part.trim());
  if (first !== undefined) return { FirstName: first, LastName: last };
  const words = name.split(/\s+/).filter(Boolean);
  if (words.length < 2) return { FirstName: name };
  return { FirstName: words.slice(0, -1).join(' '), LastName: words.at(-1)! };
}

function personOf(
  line: number,
  cells: Cells,
  { nameFrom, problems }: { nameFrom: NameFrom; problems: string[] },
): ReadPerson {
  const { UserName: given = '', MiddleName = '', Email = '', Roles = '' } = cells;
  const local = Email.slice(0, Math.max(0, Email.lastIndexOf('@')));
  const names = cells.FirstName || cells.LastName ? cells : namesOfAddress(local);
  return {
    line,
    UserName: given || (nameFrom === 'Address' ? Email : local),
    FirstName: names.FirstName || given,
    MiddleName,
    LastName: names.LastName ?? '',
    Email,
    Roles: Roles.split(ROLE_SEPARATOR)
      .map((name) => name.trim())
      .filter(Boolean),
    isNamedByAddress: given === '',
    problems,
  };
}

/** Guesses from 'ann.lee': Ann Lee. The preview shows it, and people and administrators can correct it. */
function namesOfAddress(local: string): Pick<Cells, 'FirstName' | 'LastName'> {
  const words = local.split(/[._-]+/).filter(Boolean);
  const [first = '', ...rest] = words.map((word) => cutName(word[0]!.toUpperCase() + word.slice(1)));
  return { FirstName: first, LastName: cutName(rest.join(' ')) };
}
