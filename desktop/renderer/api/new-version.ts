import { bridge } from './bridge.ts';

/** Compares this page with the server's: a newer build, the same build, or no response from the server. */
export type ServerState = 'upgraded' | 'same' | 'away';

const SCRIPT = /<script\b[^>]*\btype="module"[^>]*\bsrc="([^"]+)"/;

/** Returns the name of a page's entry script. It contains a hash of all code, so every build has a different name. */
const scriptOf = (html: string): string | null => SCRIPT.exec(html)?.[1]?.split('/').pop() ?? null;

/** Timeout in milliseconds after which a server counts as unreachable. */
const VERSION_CHECK_TIMEOUT_MS = 10_000;

/** Fetches the server's page and compares its entry script with the current one. */
export async function compareVersions(): Promise<ServerState> {
  try {
    const page = document.documentElement.dataset['page'] ?? 'index.html';
    const answer = await fetch(`${bridge.basePath}${page}`, {
      cache: 'no-store',
      signal: AbortSignal.timeout(VERSION_CHECK_TIMEOUT_MS),
    });
    if (!answer.ok) return 'away';
    const now = scriptOf(await answer.text());
    const ours = document.querySelector<HTMLScriptElement>('script[type="module"]')?.src.split('/').pop() ?? null;
    return now === ours ? 'same' : 'upgraded';
  } catch {
    return 'away';
  }
}
