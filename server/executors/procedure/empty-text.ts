/** The empty text of procedure inputs. A blank is NULL: forms, files and programs have no other way to say that. */
import type { ProcedureType } from '#server/base/procedure-types.ts';

/** Types of both databases that hold any text; of a time, JSON or a uuid the empty text is no value. */
const TEXTS = new Set(['char', 'varchar', 'text', 'nchar', 'nvarchar', 'ntext', 'sysname', 'bpchar', 'name', 'citext']);

/**
 * Two apostrophes are the empty text, as SQL writes it. So that every text can be written, one of apostrophes alone, two or more, stands for
 * itself without two of them.
 */
export const writtenText = (text: string, { base }: Pick<ProcedureType, 'base'>): string =>
  TEXTS.has(base) && /^'{2,}$/.test(text) ? text.slice(2) : text;
