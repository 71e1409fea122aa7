import { Callout } from '@blueprintjs/core';
import type { CaseIssue, RefusedImport } from '#shared/contract/test-beds.ts';
import { toFailure } from '#renderer/api/app-failure.ts';
import { IssueTable } from '#renderer/features/batches/IssueTable.tsx';
import { said, t } from '#renderer/language/translate.ts';

/** A table that could not be imported. */
export interface FailedImport {
  name: string;
  /** The reason, if it concerns no single cell. */
  message: string;
  issues: readonly CaseIssue[];
  count: number;
}

export function failedImportOf(name: string, error: unknown): FailedImport {
  const { message, answer } = toFailure(error);
  const { Issues = [], IssueCount = 0 } = (answer ?? {}) as Partial<RefusedImport>;
  return { name, message, issues: Issues, count: IssueCount };
}

/** Explains why a table of test cases was not imported. Shown until another table is chosen. */
export function ImportFailure({ refused: { name, message, issues, count } }: { refused: FailedImport }) {
  if (issues.length === 0)
    return (
      <Callout intent="danger" role="alert">
        {t('{file} was not imported: {reason}', { file: name, reason: said(message) })}
      </Callout>
    );
  return (
    <section className="rs-batch-checked" aria-label={t('Not imported')}>
      <Callout intent="danger" role="alert">
        {t(
          '{file} was not imported: {count, plural, one {one cell is} other {# cells are}} not valid. Correct the file and import it again.',
          { file: name, count },
        )}
      </Callout>
      <IssueTable issues={issues} count={count} />
    </section>
  );
}
