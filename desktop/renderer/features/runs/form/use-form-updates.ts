import { useEffect, useMemo, useState } from 'react';
import { isLiveForm } from '#shared/rules/live-form.ts';
import { showMessage } from '#renderer/ui/toaster.tsx';
import { updateForm } from './form-calls.ts';
import { createFormUpdates } from './form-updates.ts';
import type { RunFormStore } from './run-form-store.ts';

export interface LiveForm {
  /** Null where the workbook has nothing to tell the form. */
  refresh: (() => void) | null;
  /** What was updated last, for screen readers. */
  announcement: string;
}

/** Keeps the form in step with what its workbook calculates, where it calculates anything for it. */
export function useFormUpdates(store: RunFormStore): LiveForm {
  const [announcement, announce] = useState('');
  const updates = useMemo(() => {
    const { activity, origin } = store.getState();
    // What the inputs of a checklist make of each other is calculated by each of its activities, once it runs.
    if (!activity.CanRun || origin.kind === 'checklist' || !isLiveForm(activity)) return null;
    return createFormUpdates(
      store,
      (body) => updateForm(origin, body),
      (text) => {
        announce(text);
        showMessage(text, 'form-update');
      },
    );
  }, [store]);
  useEffect(() => updates?.start(), [updates]);
  return { refresh: updates?.refresh ?? null, announcement };
}
