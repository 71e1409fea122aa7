/** `npm run build:renderer`: builds the pages into build/out/renderer unless they are up to date. */
import { buildRenderer } from './renderer-build.ts';

if (!buildRenderer()) console.log('The pages are up to date.');
