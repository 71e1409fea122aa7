import { useState, type FormEvent } from 'react';
import { AppFailure } from '#renderer/api/app-failure.ts';
import { t } from '#renderer/language/translate.ts';
import type { DesignStatus } from '#renderer/features/activities/designer/design-status.ts';
import { submitIssues, type EditorFields } from './editor-fields.ts';
import { isOutdated, uploadFindings, useSaveActivity, type Saved } from './use-save-activity.ts';

interface SubmitOptions {
  id: number;
  initial: EditorFields;
  fields: EditorFields;
  write: (change: Partial<EditorFields>) => void;
  /** Status of the design on the page. */
  design: DesignStatus | null;
}

/** Submits the form of an activity, or reports what prevents it. */
export function useSubmitActivity({ id, initial, fields, write, design }: SubmitOptions) {
  const saving = useSaveActivity(id);
  const [attempt, setAttempt] = useState(0);
  const [issues, setIssues] = useState<string[]>([]);
  const [saved, setSaved] = useState<Saved | null>(null);
  /** Number of times that problems of the design prevented submitting. */
  const [refusals, setRefusals] = useState(0);
  const [isChecking, setChecking] = useState(false);
  /** The design that was submitted last: problems of one workbook say nothing about another one. */
  const [submitted, setSubmitted] = useState<number | null>(null);
  const isSameWorkbook = submitted === fields.designId;

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setAttempt(attempt + 1);
    if (!isSameWorkbook) setRefusals(0);
    setSubmitted(fields.designId);
    const found = submitIssues(id, fields);
    setIssues(found);
    if (found.length > 0) return;
    setChecking(true);
    const problem = fields.designId === null ? null : await designIssue(design);
    setChecking(false);
    if (problem !== null) {
      setIssues([problem.text]);
      if (problem.isInWorkbook) setRefusals((count) => count + 1);
      return;
    }
    const result = await saving.save(initial, fields);
    if (result instanceof AppFailure) {
      setAttempt((count) => count + 1);
      // Drop the revision: if the user saves again, the save overwrites what someone else changed.
      if (isOutdated(result)) write({ Revision: null });
      // Clear a refused file, unless it may be sent again with accepted functions. A design stays, so that it can be
      // changed.
      else if (fields.designId === null && !uploadFindings(result).Unsupported?.length)
        write({ file: null, region: '' });
    } else if (result) setSaved(result);
  };

  return {
    saving: isSameWorkbook ? saving : { ...saving, failure: null },
    attempt,
    issues: isSameWorkbook ? issues : [],
    saved,
    refusals: isSameWorkbook ? refusals : 0,
    submit,
    isChecking,
  };
}

interface DesignIssue {
  text: string;
  /** True if the workbook view shows the problem. */
  isInWorkbook: boolean;
}

async function designIssue(design: DesignStatus | null): Promise<DesignIssue | null> {
  if (!design) return { text: t('The workbook is still being opened'), isInWorkbook: false };
  if (design.undecided > 0)
    return {
      text: t('Choose the new cells for the marks of the last version that could not be located with certainty'),
      isInWorkbook: false,
    };
  const found = await design.flush();
  if (!found) return { text: t('The marks could not be saved'), isInWorkbook: false };
  const count = found.Faults.length;
  if (count === 0) return null;
  return {
    text: t('{count, plural, one {The workbook has a problem to fix} other {The workbook has # problems to fix}}', {
      count,
    }),
    isInWorkbook: true,
  };
}
