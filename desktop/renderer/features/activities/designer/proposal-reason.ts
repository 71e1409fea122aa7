/** Screen texts that explain why cells are proposed as an input or output. */
import type { ProposedMark } from '#shared/contract/designs.ts';
import type { ProposalReason, ProposalReasonCode } from '#shared/contract/proposals.ts';
import { t } from '#renderer/language/translate.ts';

/**
 * Returns one to three sentences: the reason for the proposal, how many formulas read an input, and the label that
 * names the cells.
 * @param isRightToLeft whether the first column of the sheet is on the right
 */
export function proposalReason(
  { Role, Reason: reason }: Pick<ProposedMark, 'Role' | 'Reason'>,
  isRightToLeft: boolean,
): string {
  const sentences = [
    WHY[reason.code](reason),
    Role === 'Input' ? readersSentence(reason) : '',
    labelSentence(reason, isRightToLeft),
  ];
  return sentences.filter((sentence) => sentence !== '').join(' ');
}

/** '' if the sentences that follow already say it. */
const WHY: Record<ProposalReasonCode, (reason: ProposalReason) => string> = {
  validation: () => t('A data validation restricts what can be entered.'),
  unlocked: () => t('The cell is unlocked on a protected sheet.'),
  inputStyle: () => t('It is formatted like an input cell.'),
  readByFormulas: () => '',
  labelled: () => t('A typed value.'),
  tableColumns: ({ table = '' }) => t('Columns of the table {table} with typed values.', { table }),
  columnsWithFormulas: () => t('Columns with typed values next to formulas.'),
  columnsRead: () => t('Cells with typed values.'),
  outputStyle: () => t('The cell has the style of a result.'),
  resultWord: () => t('Its label names a result.'),
  notRead: () => t('No other formula reads this result.'),
  inChart: () => t('A chart shows these cells.'),
  calculated: () => t('A calculated value.'),
  calculatedCells: () => t('Calculated cells.'),
};

function readersSentence({ readers = 0 }: ProposalReason): string {
  return readers === 0
    ? ''
    : t('{count, plural, one {# formula reads it.} other {# formulas read it.}}', { count: readers });
}

/** `labelAt` counts columns: 'left' is a lower column, which stands on the right of a right-to-left sheet. */
function labelSentence({ label, labelAt }: ProposalReason, isRightToLeft: boolean): string {
  if (label === undefined) return '';
  if (labelAt === 'left')
    return isRightToLeft
      ? t('The label on the right says “{label}”.', { label })
      : t('The label on the left says “{label}”.', { label });
  if (labelAt === 'right')
    return isRightToLeft
      ? t('The text on the left says “{label}”.', { label })
      : t('The text on the right says “{label}”.', { label });
  if (labelAt === 'above') return t('The text above says “{label}”.', { label });
  return t('The heading says “{label}”.', { label });
}
