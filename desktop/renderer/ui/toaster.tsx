import type { Intent, Toaster, ToastProps } from '@blueprintjs/core';
import { useEffect, useState, type ComponentType } from 'react';
import { said, t } from '#renderer/language/translate.ts';

let toaster: Toaster | null = null;
/** Messages queued before the toaster was loaded. */
let waiting: { toast: ToastProps; key: string | undefined }[] = [];
let fetchToaster: () => void = () => undefined;

type ToasterComponent = ComponentType<{ onReady: (ready: Toaster | null) => void }>;

/**
 * Rendered once in the application; the functions below show messages through it. Its code is fetched in the
 * background, and again with the next message after a failure.
 */
export function MessageArea() {
  const [MessageToaster, setComponent] = useState<ToasterComponent | null>(null);
  useEffect(() => {
    fetchToaster = () => {
      import('./MessageToaster.tsx').then(
        (module) => setComponent(() => module.MessageToaster),
        () => undefined,
      );
    };
    fetchToaster();
    return () => {
      fetchToaster = () => undefined;
    };
  }, []);
  return MessageToaster && <MessageToaster onReady={connect} />;
}

function connect(ready: Toaster | null): void {
  toaster = ready;
  if (!ready) return;
  for (const { toast, key } of waiting) ready.show(toast, key);
  waiting = [];
}

function message(text: string, intent: Intent, timeout: number, key?: string): void {
  if (text !== '') show({ message: said(text), intent, timeout }, key);
}

function show(toast: ToastProps, key?: string): void {
  if (toaster) toaster.show(toast, key);
  else {
    waiting.push({ toast, key });
    fetchToaster();
  }
}

/**
 * Shows a short message at the bottom of the window. A message with a key replaces the previous one with the same key.
 */
export const showMessage = (text: string, key?: string): void => message(text, 'none', 5000, key);
/** Shows a system notification that the system could not show. @param path path of the page that it is about */
export const showNotice = (text: string, path: string | null): void =>
  show({ message: text, timeout: 10_000, ...(path === null ? {} : { action: { text: t('Show'), href: path } }) });
/** Shows what was changed, with a button that reverses it. Pointer or focus on the message keep it on the screen. */
export const showUndo = (text: string, undo: () => void): void =>
  show({ message: said(text), intent: 'success', timeout: 10_000, action: { text: t('Undo'), onClick: undo } });
export const showSuccess = (text: string): void => message(text, 'success', 5000);
export const showWarning = (text: string): void => message(text, 'warning', 10_000);
export const showError = (text: string): void => message(text, 'danger', 10_000);
