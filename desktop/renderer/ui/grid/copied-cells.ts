/**
 * Copied tables in HTML that spreadsheets of any region read as the same numbers and dates: numbers have a decimal point
 * and the attributes of Excel (x:num) and LibreOffice (sdval), dates are in ISO format, and texts are marked as such, so
 * that '007' and '1-2' remain texts.
 */

/** A cell to copy: its text as displayed, and its value. */
export interface CopiedCell {
  text: string;
  value: CopiedValue;
}

export type CopiedValue =
  | { kind: 'text' }
  | { kind: 'boolean'; value: boolean }
  /** Format is Excel's number format. */
  | { kind: 'number'; value: number; format: string }
  | { kind: 'date'; iso: string };

export interface CopiedTable {
  /** Shown above the table; '' for none. */
  title: string;
  /** Column titles; empty if the first cell of each row is its title. */
  header: readonly string[];
  rows: readonly (readonly CopiedCell[])[];
}

// Declared before the constants that are computed with them.
const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

export const TEXT: CopiedValue = { kind: 'text' };

export function toClipboardHtml(tables: readonly CopiedTable[]): string {
  const body = tables.map(tableHtml).join('<br>');
  return `<html xmlns:x="urn:schemas-microsoft-com:office:excel"><head><meta charset="utf-8"></head><body>${body}</body></html>`;
}

function tableHtml({ title, header, rows }: CopiedTable): string {
  const head = header.length > 0 ? [rowHtml(header.map((text) => `<th${TEXT_FORMAT}>${escape(text)}</th>`))] : [];
  const above = title === '' ? [] : [rowHtml([`<th${TEXT_FORMAT}>${escape(title)}</th>`])];
  return `<table>${[...above, ...head, ...rows.map((row) => rowHtml(row.map(cellHtml)))].join('')}</table>`;
}

const rowHtml = (cells: readonly string[]): string => `<tr>${cells.join('')}</tr>`;

function cellHtml({ text, value }: CopiedCell): string {
  if (value.kind === 'date') return `<td>${value.iso}</td>`;
  if (value.kind === 'boolean') return `<td x:bool="${value.value ? 'TRUE' : 'FALSE'}">${text}</td>`;
  if (value.kind === 'text') return text === '' ? '<td></td>' : `<td${TEXT_FORMAT}>${escape(text)}</td>`;
  const number = String(value.value);
  return `<td x:num="${number}" sdval="${number}" sdnum="1033;"${formatHtml(value.format)}>${number}</td>`;
}

const formatHtml = (format: string): string =>
  format === 'General' ? '' : ` style="mso-number-format:${escape(cssString(format))}"`;

/** A string in CSS: every special character is escaped by its code. */
const cssString = (text: string): string =>
  `"${text.replaceAll(/[^\w #,.;%-]/g, (character) => `\\${character.codePointAt(0)!.toString(16)} `)}"`;

const TEXT_FORMAT = formatHtml('@');

function escape(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => ESCAPES[character]!).replaceAll(/\r?\n/g, '<br>');
}
