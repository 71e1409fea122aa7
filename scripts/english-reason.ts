/** Reasons of proposals in English for the command line. The page shows them in the user's language. */
import type { Proposal } from '#shared/contract/proposals.ts';

export function englishReason({ role, reason }: Pick<Proposal, 'role' | 'reason'>): string {
  const { code, table, readers = 0 } = reason;
  const read =
    readers === 0 ? '' : readers === 1 ? '1 formula reads it' : `${readers.toLocaleString('en')} formulas read it`;
  const parts = [WHY[code](table ?? ''), role === 'input' ? read : '', labelPart(reason)].filter((part) => part !== '');
  const sentence = parts.join('; ');
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`;
}

const WHY: Record<Proposal['reason']['code'], (table: string) => string> = {
  validation: () => 'a data validation restricts what can be entered',
  unlocked: () => 'the cell is unlocked on a protected sheet',
  inputStyle: () => 'the cell looks like the cells to fill in',
  readByFormulas: () => '',
  labelled: () => 'a typed-in value',
  tableColumns: (table) => `typed-in columns of the table ${table}`,
  columnsWithFormulas: () => 'typed-in columns with formulas beside them',
  columnsRead: () => 'typed-in cells',
  outputStyle: () => 'the cell has the style of a result',
  resultWord: () => 'its label names a result',
  notRead: () => 'no other formula reads this result',
  inChart: () => 'a chart shows these cells',
  calculated: () => 'a calculated value',
  calculatedCells: () => 'calculated cells',
};

function labelPart({ label, labelAt }: Proposal['reason']): string {
  if (label === undefined) return '';
  if (labelAt === 'left') return `the label on the left says ‘${label}’`;
  if (labelAt === 'right') return `the text on the right says ‘${label}’`;
  return labelAt === 'above' ? `the text above says ‘${label}’` : `the heading says ‘${label}’`;
}
