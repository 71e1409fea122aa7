/** Tables of a report. Columns that do not fit on a page continue in further tables below, with the first column. */
import { columnGroups, columnsOfGroup, printedWidth } from '#shared/codecs/printed-columns.ts';
import { isRightAligned, type ValueTable } from '#shared/codecs/value-table.ts';
import type { PdfLayout, PdfNode } from './pdf-document.ts';
import type { ReportWords } from './report-words.ts';
import type { ShownCharacters } from './shown-characters.ts';

export interface ReportMeans {
  words: ReportWords;
  characters: ShownCharacters;
}

/** Points per pixel of a printed page. */
const POINTS = 0.75;
const PADDING = 4;
const LINE = 0.5;
/** Longer headings are cut, because they are repeated on each page and must not fill it. */
const MAX_HEADING_LENGTH = 200;
/** Columns are wide enough for headings of about this many lines: pdfmake loses rows below higher ones. */
const MAX_HEADING_LINES = 12;
/** Width in pixels of a character of a heading, and of what surrounds a heading. */
const HEADING_CHARACTER = 7.4;
const HEADING_PADDING = 14;
/** Rows with longer cells may be divided between pages: a row that does not fit on one page would be lost otherwise. */
const MAX_WHOLE_CELL_LENGTH = 800;
const MAX_WHOLE_CELL_LINES = 15;

const LAYOUT: PdfLayout = {
  // There is no line above the name of the table.
  hLineWidth: (index) => (index === 0 ? 0 : LINE),
  vLineWidth: () => LINE,
  hLineColor: () => '#8f99a8',
  vLineColor: () => '#8f99a8',
  paddingLeft: () => PADDING,
  paddingRight: () => PADDING,
  paddingTop: () => 1.5,
  paddingBottom: () => 1.5,
};

interface Column {
  title: string;
  texts: string[];
  isRight: boolean;
}

export function tableNodes(name: string, table: ValueTable, { words, characters }: ReportMeans): PdfNode[] {
  const title = headingOf(characters.of(name));
  const columns = columnsOf(table, words, characters);
  if (columns.length === 0) return [captionOf(title), { text: words.text('no rows'), color: '#5f6b7c' }];
  const widths = columns.map((column) =>
    Math.max(printedWidth(column.title, column.texts), headingWidth(column.title)),
  );
  // Each group has the first column, so it makes room for the name of the table.
  widths[0] = Math.max(widths[0]!, headingWidth(title));
  const groups = columnGroups(widths);
  const isWhole = columns.every(({ texts }) => texts.every(isShort));
  return groups.map((group, index) => {
    const part = words.text('Columns {from} to {to} of {count}', {
      ...columnsOfGroup(groups, index),
      count: columns.length,
    });
    return {
      margin: [0, 6, 0, 6],
      layout: LAYOUT,
      table: {
        widths: group.map((at) => widths[at]! * POINTS - 2 * PADDING - LINE),
        headerRows: 2,
        keepWithHeaderRows: isWhole && table.rows.length > 0 ? 1 : 0,
        dontBreakRows: isWhole,
        body: [
          titleRow(groups.length === 1 ? title : `${title} · ${part}`, group.length),
          group.map((at) => headingCell(columns[at]!)),
          ...table.rows.map((_, row) => group.map((at) => cell(columns[at]!, row))),
        ],
      },
    };
  });
}

function columnsOf(table: ValueTable, words: ReportWords, characters: ShownCharacters): Column[] {
  const values = table.columns.map((column, col): Column => ({
    title: headingOf(characters.of(column.title)),
    texts: table.rows.map(({ cells }) => characters.of(words.show(cells[col], column.format, column.usage))),
    isRight: isRightAligned(column),
  }));
  if (!table.hasRowNames) return values;
  return [{ title: '', texts: table.rows.map(({ name }) => characters.of(name)), isRight: false }, ...values];
}

const isShort = (text: string): boolean =>
  text.length <= MAX_WHOLE_CELL_LENGTH && text.split('\n', MAX_WHOLE_CELL_LINES + 1).length <= MAX_WHOLE_CELL_LINES;

function headingOf(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length <= MAX_HEADING_LENGTH ? line : `${line.slice(0, MAX_HEADING_LENGTH)}…`;
}

const headingWidth = ({ length }: string): number =>
  Math.ceil(length / MAX_HEADING_LINES) * HEADING_CHARACTER + HEADING_PADDING;

const captionOf = (title: string): PdfNode => ({ text: title, bold: true, margin: [0, 6, 0, 2] });

/** The name of the table is its first row, so that it is repeated on each page. */
const titleRow = (text: string, width: number): PdfNode[] => [
  { text, bold: true, colSpan: width, border: [false, false, false, true] },
  ...Array.from({ length: width - 1 }, (): PdfNode => ({ text: '' })),
];

const headingCell = ({ title, isRight }: Column): PdfNode => ({
  text: title,
  bold: true,
  fontSize: 8,
  fillColor: '#edeff2',
  alignment: isRight ? 'right' : 'left',
});

const cell = ({ texts, isRight }: Column, row: number): PdfNode => ({
  text: texts[row]!,
  fontSize: 8,
  alignment: isRight ? 'right' : 'left',
});
