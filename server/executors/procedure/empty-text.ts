/**
 * How procedure inputs express the empty text. A blank is NULL, because forms, files and programs cannot express NULL
 * otherwise.
 */
import type { ProcedureType } from '#server/base/procedure-types.ts';

/** Types of both databases that hold any text. For times, JSON and uuids, the empty text is not a valid value. */
const TEXTS = new Set(['char', 'varchar', 'text', 'nchar', 'nvarchar', 'ntext', 'sysname', 'bpchar', 'name', 'citext']);

/**
 * Returns the text that the input stands for. Two apostrophes stand for the empty text, as in SQL. A text of more than
 * two apostrophes and nothing else loses two of them, so that such texts can be written too.
 */
export const writtenText = (text: string, { base }: Pick<ProcedureType, 'base'>): string =>
  TEXTS.has(base) && /^'{2,}$/.test(text) ? text.slice(2) : text;
