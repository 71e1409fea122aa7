/** What `npm start` does on the Node that the program is made for: the pages, if they are not up to date, then the server. */
import { buildRenderer } from './renderer-build.ts';

try {
  buildRenderer({ quiet: true });
} catch (error) {
  console.error(`runsheet: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
}
await import('#server/main.ts');
