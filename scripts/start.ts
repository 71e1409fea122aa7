/** What `npm start` does on the Node that the program is made for: the pages, if they are not up to date, then the server. */
import { buildRenderer } from './renderer-build.ts';

const PARENT_CHECK_MS = 500;

try {
  buildRenderer({ quiet: true });
} catch (error) {
  console.error(`runsheet: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
}
if (process.env['npm_lifecycle_event'] === 'start') stopWithParent();
await import('#server/main.ts');

/** npm gives its signals to the shell between it and us, which dies of them without a word: who has lost its parent stops. */
function stopWithParent(): void {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, PARENT_CHECK_MS);
  watch.unref();
}
