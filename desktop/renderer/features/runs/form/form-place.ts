/** Where a form stands: in the portal, whose router leads on from it, or alone on the page of a visitor, which carries no router. */
import { createContext, type ComponentType } from 'react';
import type { Activity } from '#shared/contract/activities.ts';
import type { DryRunResult } from '#shared/contract/dry-runs.ts';
import { bridge } from '#renderer/api/bridge.ts';
import { useAskBeforeUnload } from '#renderer/ui/use-ask-before-unload.ts';
import type { RunFormStore } from './run-form-store.ts';

export interface Tried {
  result: DryRunResult;
  /** Names the form as it was. */
  uniqueId: string;
}

export interface TryButtonProps {
  store: RunFormStore;
  onTried: (tried: Tried) => void;
}

export interface FormPlace {
  goTo: (path: string, options?: { replace?: boolean }) => void | Promise<void>;
  goBack: () => void;
  /** Asks before the page is left while `isUnsaved`. */
  LeaveWarning: ComponentType<{ isUnsaved: boolean }>;
  /** How the last run went. */
  LastRun: ComponentType<{ activity: Activity }>;
  /** What one's own form is filled in from, and where its values are kept. Fetched with the page: it would push the form down later. */
  Tools: ComponentType<{ store: RunFormStore }>;
  TryButton: ComponentType<TryButtonProps>;
}

function UnloadWarning({ isUnsaved }: { isUnsaved: boolean }) {
  useAskBeforeUnload(isUnsaved);
  return null;
}

export const FormPlaceContext = createContext<FormPlace>({
  goTo: (path) => bridge.restartAt(path.replace(/^\//, '')),
  goBack: () => window.history.back(),
  LeaveWarning: UnloadWarning,
  LastRun: () => null,
  Tools: () => null,
  TryButton: () => null,
});
