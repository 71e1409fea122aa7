import { useEffect } from 'react';
import { useStore } from 'zustand';
import { useShallow } from 'zustand/react/shallow';
import { countIssues } from '#shared/rules/input-rules.ts';
import { said, t } from '#renderer/language/translate.ts';
import { ErrorSummary, type FieldIssue } from '#renderer/ui/ErrorSummary.tsx';
import { issueText } from './validation/issue-text.ts';
import { fieldId } from './fields/RunInput.tsx';
import type { RunFormStore } from './run-form-store.ts';

/** Explains why a start was refused, by input. */
export function FormSummary({ store }: { store: RunFormStore }) {
  const { title, issues, general, attempt } = useStore(
    store,
    useShallow(({ title, issues, general, attempt }) => ({ title, issues, general, attempt })),
  );
  const { Inputs } = store.getState().activity;
  const lines: FieldIssue[] = [
    ...general.map((message) => ({ message })),
    ...Inputs.flatMap((input) => {
      const found = issues[input.Id] ?? [];
      const [first] = found;
      if (!first) return [];
      const others = countIssues(found) - 1;
      const text = said(issueText(first));
      return [
        {
          fieldId: fieldId(input),
          message:
            others > 0
              ? t('{name}: {text} and {count} more', { name: input.Name, text, count: others })
              : `${input.Name}: ${text}`,
        },
      ];
    }),
  ];
  // The summary disappears when all issues are corrected, and returns only with the next refused start. Otherwise it
  // would move the form while the user types.
  const isSettled = lines.length === 0 && said(title ?? '') === t('Please correct the errors shown.');
  useEffect(() => {
    if (isSettled) store.setState({ title: null });
  }, [isSettled, store]);
  return <ErrorSummary title={isSettled ? null : title} issues={lines} attempt={attempt} />;
}
