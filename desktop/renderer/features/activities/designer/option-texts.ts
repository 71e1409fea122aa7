/** Texts for the columns of the Portal sheet. */
import { t } from '#renderer/language/translate.ts';
import type { CellBlock } from '#shared/codecs/cell-address.ts';
import type { CellUsage, RangeType, Specification } from '#shared/contract/parameters.ts';

export interface Choice {
  value: string;
  label: string;
}

const shapeTexts = (): Record<RangeType, string> => ({
  SingleCell: t('One value'),
  SingleRowOfSimilarValues: t('List in a row'),
  SingleColumnOfSimilarValues: t('List in a column'),
  RangeWithColumnHeaders: t('Table with headers in first row'),
  RangeWithRowHeaders: t('Table with headers in first column'),
  MatrixWithHeaders: t('Matrix with headers at the top and left'),
  MatrixWithoutHeaders: t('Cells without headers'),
});

export const shapeText = (shape: RangeType): string => shapeTexts()[shape];

/** Returns the shapes that a range of these cells can have. */
export function shapesOf({ top, left, bottom, right }: CellBlock): RangeType[] {
  const [rows, cols] = [bottom - top + 1, right - left + 1];
  if (rows === 1 && cols === 1) return ['SingleCell'];
  const shapes: RangeType[] = [];
  if (rows === 1) shapes.push('SingleRowOfSimilarValues');
  if (cols === 1) shapes.push('SingleColumnOfSimilarValues');
  if (rows > 1) shapes.push('RangeWithColumnHeaders');
  if (cols > 1) shapes.push('RangeWithRowHeaders');
  if (rows > 1 && cols > 1) shapes.push('MatrixWithHeaders');
  shapes.push('MatrixWithoutHeaders');
  return shapes;
}

const usageTexts = (): Partial<Record<CellUsage, string>> => ({
  Number: t('Number'),
  Date: t('Date'),
  Boolean: t('Yes or no'),
  Text: t('Text'),
  FilePath: t('Uploaded file'),
  Html: t('HTML'),
  StaticFolder: t('Folder on the server'),
});

export const usageText = (usage: CellUsage): string => usageTexts()[usage] ?? usage;

/** Returns the usages that an author can choose here; others can be written on the Portal sheet. */
const usageChoices = (role: 'Input' | 'Output'): Choice[] =>
  (Object.entries(usageTexts()) as [CellUsage, string][])
    .filter(([usage]) => role === 'Input' || !/^(FilePath|StaticFolder)$/.test(usage))
    .map(([value, label]) => ({ value, label }));

/** Returns the choices, plus the present usage if only the Portal sheet can set it. */
export function usageChoicesWith(role: 'Input' | 'Output', present: string | undefined): Choice[] {
  const choices = usageChoices(role);
  if (present === undefined || present === '' || choices.some(({ value }) => value === present)) return choices;
  return [...choices, { value: present, label: usageText(present as CellUsage) }];
}

const specificationTexts = (): Record<Specification, string> => ({
  OldStyle: t('As in older versions'),
  Required: t('Required'),
  Optional: t('Optional: the value of the workbook is used unless another is entered'),
  Suggested: t('Suggested: the workbook proposes a value'),
  Display: t('Read-only'),
  Hidden: t('Hidden'),
});

export const specificationText = (specification: Specification): string => specificationTexts()[specification];

export const specificationChoices = (): Choice[] =>
  (Object.entries(specificationTexts()) as [Specification, string][])
    .filter(([value]) => value !== 'OldStyle')
    .map(([value, label]) => ({ value, label }));
