import { OverlayToaster, type Toaster } from '@blueprintjs/core';

/** @param onReady is given what shows messages, and null once it is gone */
export function MessageToaster({ onReady }: { onReady: (toaster: Toaster | null) => void }) {
  return <OverlayToaster position="bottom" maxToasts={4} ref={onReady} />;
}
