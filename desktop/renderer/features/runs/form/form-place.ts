/** Where a form stands: in the portal, whose router leads on from it, or alone on the page of a visitor, which carries no router. */
import { createContext, type ComponentType } from 'react';
import type { Activity } from '#shared/contract/activities.ts';
import { bridge } from '#renderer/api/bridge.ts';
import { useAskBeforeUnload } from '#renderer/ui/use-ask-before-unload.ts';

export interface FormPlace {
  goTo: (path: string, options?: { replace?: boolean }) => void | Promise<void>;
  goBack: () => void;
  /** Asks before the page is left while `isUnsaved`. */
  LeaveWarning: ComponentType<{ isUnsaved: boolean }>;
  /** How the last run went. */
  LastRun: ComponentType<{ activity: Activity }>;
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
});
