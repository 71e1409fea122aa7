import { OverlayToaster, type Intent, type ToastProps } from '@blueprintjs/core';

type Show = (toast: ToastProps, key?: string) => void;
let show: Show = () => undefined;

/** Stands once in the application; the functions below speak through it. */
export function MessageArea() {
  return (
    <OverlayToaster
      position="bottom"
      maxToasts={4}
      ref={(toaster) => {
        show = toaster ? (toast, key) => toaster.show(toast, key) : () => undefined;
      }}
    />
  );
}

function message(text: string, intent: Intent, timeout: number, key?: string): void {
  if (text !== '') show({ message: text, intent, timeout }, key);
}

/** A short message at the foot of the window; one with a key takes the place of the last one with it. */
export const showMessage = (text: string, key?: string): void => message(text, 'none', 5000, key);
export const showSuccess = (text: string): void => message(text, 'success', 5000);
export const showWarning = (text: string): void => message(text, 'warning', 10_000);
export const showError = (text: string): void => message(text, 'danger', 10_000);
