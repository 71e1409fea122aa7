/** The environment of a form: the portal with its router, or the separate page of a visitor without a router. */
import { createContext, type ComponentType } from 'react';
import type { Activity } from '#shared/contract/activities.ts';
import type { DryRunResult } from '#shared/contract/dry-runs.ts';
import { bridge } from '#renderer/api/bridge.ts';
import { useAskBeforeUnload } from '#renderer/ui/use-ask-before-unload.ts';
import type { RunFormStore } from './run-form-store.ts';

export interface DryRun {
  result: DryRunResult;
  /** The form's id when it was calculated. */
  uniqueId: string;
}

export interface DryRunButtonProps {
  store: RunFormStore;
  onDryRun: (dryRun: DryRun) => void;
}

export interface FormHost {
  goTo: (path: string, options?: { replace?: boolean }) => void | Promise<void>;
  goBack: () => void;
  /** Asks for confirmation before leaving the page while `isUnsaved`. */
  LeaveWarning: ComponentType<{ isUnsaved: boolean }>;
  /** Shows how the last run went. */
  LastRun: ComponentType<{ activity: Activity }>;
  /**
   * Tools that fill in the user's own form and save its values. Loaded with the page, because they would move the form
   * if they appeared later.
   */
  Tools: ComponentType<{ store: RunFormStore }>;
  DryRunButton: ComponentType<DryRunButtonProps>;
}

function UnloadWarning({ isUnsaved }: { isUnsaved: boolean }) {
  useAskBeforeUnload(isUnsaved);
  return null;
}

export const FormHostContext = createContext<FormHost>({
  goTo: (path) => bridge.restartAt(path.replace(/^\//, '')),
  goBack: () => window.history.back(),
  LeaveWarning: UnloadWarning,
  LastRun: () => null,
  Tools: () => null,
  DryRunButton: () => null,
});
