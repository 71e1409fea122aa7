/** Texts for problems of a mark that can be fixed in the panel instead of on a Portal sheet in Excel. */
import type { WorkbookProblem } from '#shared/contract/fidelity.ts';
import { RANGE_TYPES } from '#shared/rules/parameter-kinds.ts';
import { said, t } from '#renderer/language/translate.ts';
import { shapeText } from './option-texts.ts';

const SHAPE = new RegExp(String.raw`\b(?:${RANGE_TYPES.join('|')})\b`, 'g');

export const problemText = ({ Message }: Pick<WorkbookProblem, 'Message'>): string =>
  said(Message).replaceAll(SHAPE, (shape) =>
    t('“{shape}”', { shape: shapeText(shape as (typeof RANGE_TYPES)[number]) }),
  );

/** How the server says to fix a problem on the Portal sheet, and what to do here instead. */
const howToFixTexts = (): [RegExp, string][] => [
  [/^Change the Range or the RangeType\.$/, t('Select other cells for the mark, or choose another shape.')],
  [
    /^Leave (?:Headers|RangeType|Headers or RangeType) empty\.$/,
    t('Choose “As set in the cells” for the shape and the first row.'),
  ],
  [
    /^If it contains data, enter FALSE as Headers in \w+\.$/,
    t('If it contains data, choose “Data” for the first row.'),
  ],
  [
    /^If it contains headings, enter TRUE as Headers in \w+\.$/,
    t('If it contains headings, choose “Headings” for the first row.'),
  ],
  [
    /^To choose it yourself, give its cells a number format, or enter CellUsages in \w+\.$/,
    t('To choose it yourself, use “Kind of value”, or give the cells a number format in Excel.'),
  ],
  [
    /^Put a row of unique headings directly above it\. If it is a single matrix, enter RangeType and CellUsages in PortalInputs\.$/,
    t(
      'In Excel, put a row of different headings directly above it. If all of it is one matrix, choose its shape and its kind of value.',
    ),
  ],
  [/^Change it to point to one cell, or use CellUsages FolderPath\.$/, t('Mark one cell.')],
  [/^Change it to point to one cell\.$/, t('Mark one cell.')],
  [
    /^Change it to point to one cell, or to a column of cells for several files\.$/,
    t('Mark one cell, or a column of cells for several files.'),
  ],
  [
    /^Use CellUsages FilePath, or StaticFolder or FolderPath\.$/,
    t('Choose “Uploaded file” or “Folder on the server” as the kind of value.'),
  ],
];

export function howToFixText({ Remedy }: Pick<WorkbookProblem, 'Remedy'>): string {
  const own = howToFixTexts().find(([pattern]) => pattern.test(Remedy));
  if (own) return own[1];
  const matrix = /^(.+) If it really is a single matrix, enter \w+ as its RangeType in PortalInputs\.$/.exec(Remedy);
  if (matrix) return `${said(matrix[1]!)} ${t('If the range is one matrix anyway, choose its shape.')}`;
  return said(Remedy);
}
