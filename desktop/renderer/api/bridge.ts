import type { DesktopBridge } from '#bridge/desktop-bridge.ts';
import { createWebBridge } from '#bridge/web-bridge.ts';

declare global {
  interface Window {
    /** Brought by the preload script of a desktop window. */
    runsheet?: DesktopBridge;
  }
}

export const bridge: DesktopBridge = window.runsheet ?? createWebBridge();
