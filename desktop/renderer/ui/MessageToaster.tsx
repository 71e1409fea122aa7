import { OverlayToaster, type Toaster } from '@blueprintjs/core';

/** @param onReady receives the toaster when it is mounted, and null when it is unmounted */
export function MessageToaster({ onReady }: { onReady: (toaster: Toaster | null) => void }) {
  return <OverlayToaster position="bottom" maxToasts={4} ref={onReady} />;
}
