import type { DesktopBridge } from '#bridge/desktop-bridge.ts';
import { createWebBridge } from '#bridge/web-bridge.ts';

declare global {
  interface Window {
    /** Provided by the preload script in a desktop window. */
    runsheet?: DesktopBridge;
  }
}

export const bridge: DesktopBridge = window.runsheet ?? createWebBridge();
