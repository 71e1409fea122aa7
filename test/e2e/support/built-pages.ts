import { buildRenderer } from '../../../scripts/renderer-build.ts';

/** Builds the pages before the first file, where they are not up to date: a build in the middle would take the files of pages that are open. */
export function setup(): void {
  buildRenderer({ quiet: true });
}
