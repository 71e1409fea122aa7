/**
 * What `npm start` does on the required Node version: builds the pages if they are not up to date, then starts the
 * server.
 */
import { buildRenderer } from '../build/renderer-build.ts';

const PARENT_CHECK_MS = 500;

try {
  buildRenderer({ quiet: true });
} catch (error) {
  console.error(`runsheet: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
}
if (process.env['npm_lifecycle_event'] === 'start') stopWithParent();
await import('#server/main.ts');

/**
 * npm sends its signals to the shell between it and this process, and the shell ends without forwarding them. This
 * process therefore stops when its parent has ended.
 */
function stopWithParent(): void {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, PARENT_CHECK_MS);
  watch.unref();
}
