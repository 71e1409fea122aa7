import { bridge } from './bridge.ts';

/** Whether the server has other pages than these by now, the same ones, or does not answer. */
export type ServerState = 'upgraded' | 'same' | 'away';

const SCRIPT = /<script\b[^>]*\btype="module"[^>]*\bsrc="([^"]+)"/;

/** The name of the script that a page begins with. It holds a hash of all the code, so that each build has another. */
export const scriptOf = (html: string): string | null => SCRIPT.exec(html)?.[1]?.split('/').pop() ?? null;

/** Milliseconds after which a server that does not answer is away. */
const LONGEST_WAIT = 10_000;

/** Asks the server for its page, and compares the script it begins with. */
export async function compareVersions(): Promise<ServerState> {
  try {
    const page = document.documentElement.dataset['page'] ?? 'index.html';
    const answer = await fetch(`${bridge.basePath}${page}`, {
      cache: 'no-store',
      signal: AbortSignal.timeout(LONGEST_WAIT),
    });
    if (!answer.ok) return 'away';
    const now = scriptOf(await answer.text());
    const ours = document.querySelector<HTMLScriptElement>('script[type="module"]')?.src.split('/').pop() ?? null;
    return now === ours ? 'same' : 'upgraded';
  } catch {
    return 'away';
  }
}
