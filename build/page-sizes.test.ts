/** Limits what a browser loads before a page is shown, measured on the built files. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { buildRenderer } from './renderer-build.ts';

const FOLDER = fileURLToPath(new URL('./out/renderer', import.meta.url));

/** Entry of the portal's pages. The visitors' page has a separate entry. */
const PORTAL = 'index.html';
/** Surrounds the pages of signed-in users. */
const FRAME = 'app/Frame.tsx';

interface Part {
  file: string;
  css?: string[];
  imports?: string[];
}

let parts: Record<string, Part>;

beforeAll(() => {
  buildRenderer({ quiet: true });
  parts = JSON.parse(readFileSync(join(FOLDER, '.vite/manifest.json'), 'utf8')) as typeof parts;
});

/** Returns the files of the given pages and of all parts they import, each file once. */
function filesOf(pages: readonly string[]): Set<string> {
  const seen = new Set<string>();
  const files = new Set<string>();
  const visit = (key: string): void => {
    const part = parts[key];
    if (!part) throw new Error(`the build has no ${key}`);
    if (seen.has(key)) return;
    seen.add(key);
    for (const file of [part.file, ...(part.css ?? [])]) files.add(file);
    for (const next of part.imports ?? []) visit(next);
  };
  for (const page of pages) visit(page);
  return files;
}

/** Size in bytes on the wire, for a browser that supports brotli. */
function sizeOnWire(file: string): number {
  const path = join(FOLDER, file);
  return (statSync(`${path}.br`, { throwIfNoEntry: false }) ?? statSync(path)).size;
}

// Two builds of one source differ by some hundred bytes. Budgets are 1 to 2 % above the size that was measured.
test.each([
  ['login', [PORTAL, 'features/sign-in/LoginPage.tsx'], 176],
  ['the activities', [PORTAL, FRAME, 'features/activities/list/ActivitiesPage.tsx'], 236],
  ['the form of a run', [PORTAL, FRAME, 'features/run-form/RunFormPage.tsx'], 298],
  ['the public form', ['public.html'], 203],
  ['what came of a public run', ['public.html', 'features/public-run/PublicRunStatus.tsx'], 245],
])('script and style of %s fit their budget', (_name, pages, kilobytes) => {
  const sizes = [...filesOf(pages)].map((file): [string, number] => [file, sizeOnWire(file)]);
  const total = sizes.reduce((sum, [, size]) => sum + size, 0);
  const largest = sizes.toSorted((a, b) => b[1] - a[1]).slice(0, 8);
  expect(total, largest.map(([file, size]) => `${file} ${size}`).join('\n')).toBeLessThanOrEqual(kilobytes * 1000);
});

test('no part needs what begins a page: on the page of visitors it would begin the portal', () => {
  const needing = Object.entries(parts).filter(([, { imports = [] }]) => imports.some((key) => key.endsWith('.html')));
  expect(needing.map(([key]) => key)).toEqual([]);
});

test('the pane of Excel, with all that it fetches before it stands in English, is light', () => {
  const own = JSON.parse(readFileSync(join(FOLDER, 'excel/.vite/manifest.json'), 'utf8')) as typeof parts;
  const { file, css = [], imports = [] } = own['index.html']!;
  expect(imports).toEqual([]);
  const total = [file, ...css].reduce((sum, path) => sum + sizeOnWire(`excel/${path}`), 0);
  expect(total).toBeLessThanOrEqual(125_000);
});
