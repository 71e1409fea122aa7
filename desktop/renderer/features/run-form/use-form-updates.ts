import { useEffect, useMemo, useState } from 'react';
import { isLiveForm } from '#shared/rules/live-form.ts';
import { showMessage } from '#renderer/ui/toaster.tsx';
import { updateForm } from './form-calls.ts';
import { createFormUpdates } from './form-updates.ts';
import type { RunFormStore } from './run-form-store.ts';

export interface LiveForm {
  /** Null if the workbook calculates nothing for the form. */
  refresh: (() => void) | null;
  /** The latest update, for screen readers. */
  announcement: string;
}

/** Updates the form with what its workbook calculates, if anything. */
export function useFormUpdates(store: RunFormStore): LiveForm {
  const [announcement, announce] = useState('');
  const updates = useMemo(() => {
    const { activity, origin } = store.getState();
    // Checklists are excluded: each activity calculates its inputs only when it runs.
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
