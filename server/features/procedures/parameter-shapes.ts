/** Determines how the type of a parameter appears in forms and results. */
import type { ProcedureParameter, ProcedureType } from '#server/base/procedure-types.ts';
import { exactCell, EXACT_DIGITS } from '#shared/codecs/exact-number.ts';
import { toSerial } from '#shared/codecs/serial-date.ts';
import type { CellUsage, RangeType, ValueRule } from '#shared/contract/parameters.ts';

/**
 * Returns the usage of an input of this type. Numbers with more digits than a cell holds, and timestamps with an
 * offset, are entered as texts.
 */
export function inputUsage(type: ProcedureType, asNumber: boolean): CellUsage {
  const { kind, precision, base } = type;
  if (kind === 'Number') return !asNumber && (precision ?? 0) > EXACT_DIGITS ? 'Text' : 'Number';
  if (kind === 'Date') return base === 'datetimeoffset' ? 'Text' : 'Date';
  if (kind === 'Boolean') return 'Boolean';
  return kind === 'File' ? 'FilePath' : 'Text';
}

/**
 * Returns the usage of an output of this type. Individual numbers with more digits than a cell holds are returned as
 * texts.
 */
export function outputUsage({ kind, base }: ProcedureType): 'Number' | 'Text' | 'Date' | 'Boolean' {
  if (kind === 'Date') return base === 'datetimeoffset' ? 'Text' : 'Date';
  return kind === 'Number' || kind === 'Boolean' ? kind : 'Text';
}

export const rangeTypeOf = ({ kind }: ProcedureType): RangeType =>
  kind === 'Table' ? 'RangeWithColumnHeaders' : 'SingleCell';

export function formatOf({ kind, base }: ProcedureType): string {
  if (kind !== 'Date' || base === 'datetimeoffset') return 'General';
  return base === 'date' ? 'yyyy-mm-dd' : 'yyyy-mm-dd hh:mm:ss';
}

/** Returns the maximum length of a text in characters, or of a file in bytes. */
export function maxSizeOf(type: ProcedureType, usage: CellUsage): number | null {
  if (type.kind === 'Number' && usage === 'Text') return (type.precision ?? 0) + 3;
  return (type.kind === 'Text' || type.kind === 'File') && type.maxLength !== null && type.maxLength > 0
    ? type.maxLength
    : null;
}

const WHOLE: ReadonlyMap<string, [number, number]> = new Map([
  ['tinyint', [0, 255]],
  ['smallint', [-32_768, 32_767]],
  ['int2', [-32_768, 32_767]],
  ['int', [-2_147_483_648, 2_147_483_647]],
  ['integer', [-2_147_483_648, 2_147_483_647]],
  ['int4', [-2_147_483_648, 2_147_483_647]],
]);

/** Returns rules that require whole numbers within the bounds of integer types. */
export function rulesOf(types: readonly ProcedureType[], isTable: boolean): ValueRule[] {
  return types.flatMap(({ base }, col) => {
    const Bounds = WHOLE.get(base);
    if (!Bounds) return [];
    const area = { Top: 0, Left: col, Bottom: isTable ? null : 0, Right: col };
    const alert = { Alert: 'Stop', Title: '', Text: '' } as const;
    return [{ ...area, Type: 'whole', Operator: 'between', Bounds, ...alert } satisfies ValueRule];
  });
}

/** Returns a parameter's default as JSON for an input; null if the default is not a plain value. */
export function defaultValueOf({ defaultText, type }: ProcedureParameter, usage: CellUsage): string | null {
  if (defaultText === null || type.kind === 'Table') return null;
  const bare = defaultText
    .trim()
    .replace(/::[\w\s."[\](),]+$/, '')
    .replace(/^\((.*)\)$/s, '$1')
    .trim();
  const text = /^N?'((?:[^']|'')*)'$/s.exec(bare)?.[1]?.replaceAll("''", "'");
  if (usage === 'Number') {
    const number = /^'?([+-]?\d{1,131}(?:\.\d{1,100})?)'?$/.exec(bare)?.[1];
    return number === undefined ? null : JSON.stringify(exactCell(number));
  }
  if (usage === 'Boolean') {
    const written = (text ?? bare).toLowerCase();
    return ['true', 't', '1'].includes(written) ? 'true' : ['false', 'f', '0'].includes(written) ? 'false' : null;
  }
  if (text === undefined) return null;
  if (usage === 'Date') {
    const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? [];
    const serial = year && toSerial({ year: Number(year), month: Number(month), day: Number(day) });
    return typeof serial === 'number' ? JSON.stringify(serial) : null;
  }
  return usage === 'Text' ? JSON.stringify(text) : null;
}
