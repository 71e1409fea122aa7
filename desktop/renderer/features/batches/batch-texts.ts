/** Texts about a batch: its checked file and the progress of its rows. */
import type { Batch, CheckedBatch } from '#shared/contract/batches.ts';
import { numberText } from '#renderer/language/numbers.ts';
import { t } from '#renderer/language/translate.ts';

export const rowsText = (count: number): string => t('{count, plural, one {# row} other {# rows}}', { count });

/** From this many rows on, cancelling or retrying all of them asks for confirmation. */
const ASKED_FROM = 20;

export const isAsked = (rows: number): boolean => rows >= ASKED_FROM;

/** '3,645 of 5,000 succeeded, 2 of them with warnings, 1,355 cancelled' */
export function countsText(batch: Batch): string {
  const { RowCount, SuccessfulChildRuns, WarnedChildRuns, CancelledChildRuns, RunningChildRuns } = batch;
  const failed = batch.FailedChildRuns - CancelledChildRuns;
  const texts = [
    t('{count} of {total} succeeded', { count: numberText(SuccessfulChildRuns), total: numberText(RowCount) }),
  ];
  if (WarnedChildRuns > 0) texts.push(t('{count} of them with warnings', { count: numberText(WarnedChildRuns) }));
  if (failed > 0) texts.push(t('{count} failed', { count: numberText(failed) }));
  if (CancelledChildRuns > 0) texts.push(t('{count} cancelled', { count: numberText(CancelledChildRuns) }));
  if (RunningChildRuns > 0) texts.push(t('{count} remaining', { count: numberText(RunningChildRuns) }));
  return texts.join(', ');
}

/** Describes what the check of a file found and what the user can do next. */
export function checkedText(checked: CheckedBatch): string {
  const { FileName, RowCount, BadCount, IssueCount } = checked;
  if (IssueCount === 0)
    return t('{fileName}: {rows}, and all cells are valid.', { fileName: FileName, rows: rowsText(RowCount) });
  const next =
    RowCount > BadCount
      ? t('Correct the file and upload it again, or start only the valid rows.')
      : t('Correct the file and upload it again.');
  return `${problemText(checked)} ${next}`;
}

function problemText({ FileName, RowCount, BadCount, IssueCount, HeaderIssueCount }: CheckedBatch): string {
  if (HeaderIssueCount > 0)
    return t(
      '{file}: no row can be used, because the headers have {count, plural, one {one problem} other {# problems}}.',
      { file: FileName, count: HeaderIssueCount },
    );
  if (RowCount === 0) return t('{file} has no rows.', { file: FileName });
  return t('{file}: {count, plural, one {one cell is} other {# cells are}} not valid, in {bad} of {rows}.', {
    file: FileName,
    count: IssueCount,
    bad: numberText(BadCount),
    rows: rowsText(RowCount),
  });
}
