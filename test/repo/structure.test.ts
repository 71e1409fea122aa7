import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import { expect, test } from 'vitest';
import { importCycles, importViolation } from './import-rule.ts';
import { importsOf, isTest, listFiles, readSources, readText, ROOT } from './source-files.ts';

const sources = readSources();
const imports = sources.flatMap(importsOf);

test('there is something to look at', () => {
  expect(sources.length).toBeGreaterThan(100);
  expect(imports.length).toBeGreaterThan(sources.length);
});

test('imports follow the import rule', () => {
  expect(imports.map(importViolation).filter((violation) => violation !== null)).toEqual([]);
});

test('imported files exist', () => {
  const targets = new Set(imports.map(({ target }) => target).filter((target) => target !== null));
  const lacking = new Set([...targets].filter((target) => !existsSync(join(ROOT, target))));
  const missing = imports.filter(({ target }) => target !== null && lacking.has(target));
  expect(missing.map(({ from, specifier }) => `${from}: ${specifier}`)).toEqual([]);
});

test('imports form no cycle, not even those of types', () => {
  expect(importCycles(imports).map((cycle) => cycle.join(' → '))).toEqual([]);
});

/** Written by `npm run schema`. */
const GENERATED = 'server/db/tables.ts';

test('no file has more than 300 lines of code', () => {
  const long = sources
    .filter(({ path }) => !isTest(path) && !path.startsWith('migrations/') && path !== GENERATED)
    .map(({ path, text }) => ({ path, lines: codeLines(text) }))
    .filter(({ lines }) => lines > 300);
  expect(long).toEqual([]);
});

function codeLines(text: string): number {
  const withoutComments = text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/^\s*\/\/.*$/gm, '');
  return withoutComments.split('\n').filter((line) => line.trim() !== '').length;
}

/** Timers that must not wait for what they started, as for leases, or that start nothing that takes time. */
const TIMERS = [
  'server/executors/workbook/pool/task-bounds.ts',
  'server/executors/workbook/pool/worker.ts',
  'server/queue/worker/worker.ts',
];

test('background loops of the server are pollers', () => {
  const timers = sources.filter(
    ({ path, text }) => path.startsWith('server/') && !isTest(path) && text.includes('setInterval('),
  );
  expect(timers.map(({ path }) => path).toSorted()).toEqual(TIMERS);
});

/** For visitors, who have no session that could become inactive. */
const WITHOUT_SESSION = ['desktop/renderer/features/dashboards/PublicDashboardPage.tsx'];

test('calls that pages repeat automatically do not count as activity of the user', () => {
  const counted = sources
    .filter(({ path }) => path.startsWith('desktop/renderer/') && !isTest(path) && !WITHOUT_SESSION.includes(path))
    .filter(({ text }) => repeatedQueries(text).some((query) => !/\bpolls\b|\brunStateQuery\b/.test(query)));
  expect(counted.map(({ path }) => path)).toEqual([]);
});

/** Returns the options of each query that is repeated at an interval, up to that interval. */
function repeatedQueries(text: string): string[] {
  return [...text.matchAll(/\brefetchInterval\b/g)].map(({ index }) => {
    const before = text.slice(0, index);
    return before.slice(Math.max(before.lastIndexOf('useQuery('), before.lastIndexOf('useInfiniteQuery(')));
  });
}

test('one file of the server inserts runs', () => {
  const inserting = sources.filter(
    ({ path, text }) => path.startsWith('server/') && !isTest(path) && /\('ActivityRuns'\)\s*\.insert\(/.test(text),
  );
  expect(inserting.map(({ path }) => path)).toEqual(['server/queue/insert-runs.ts']);
});

test('each feature has one module, which the composition root lists', () => {
  const features = new Set(listFiles('server/features').flatMap((path) => path.split('/').slice(2, -1).slice(0, 1)));
  const expected = [...features].map((name) => `server/features/${name}/${name}-module.ts`);
  expect(listFiles('server/features', /-module\.ts$/).toSorted()).toEqual(expected.toSorted());
  const listed = imports.filter(({ from }) => from === 'server/compose/modules.ts').map(({ target }) => target);
  expect(expected.filter((path) => !listed.includes(path))).toEqual([]);
});

/** The main process runs on the Node of Electron, which is older than the server's. */
const NOT_IN_ELECTRON = /\b(Map|Object)\.groupBy\b|\bPromise\.(withResolvers|try)\b|\bArray\.fromAsync\b/;

test('the main process of the desktop client uses nothing that its Node lacks', () => {
  const own = sources.filter(({ path }) => /^desktop\/(main|bridge|preload)\//.test(path) && !isTest(path));
  expect(own.filter(({ text }) => NOT_IN_ELECTRON.test(text)).map(({ path }) => path)).toEqual([]);
});

test('files are kebab-case, components PascalCase', () => {
  const named = /^([a-z0-9]+(-[a-z0-9]+)*((\.full)?\.test|\.config|\.d)?\.tsx?|[A-Z][A-Za-z0-9]*(\.test)?\.tsx)$/;
  expect(sources.map(({ path }) => path).filter((path) => !named.test(posix.basename(path)))).toEqual([]);
});

test('no style sheet contains a block twice', () => {
  const repeated = listFiles('desktop', /\.css$/).flatMap((path) => {
    const blocks = topLevelBlocks(readText(path));
    return blocks
      .filter((block, index) => blocks.indexOf(block) !== index)
      .map((block) => `${path}: ${block.slice(0, block.indexOf('{'))}`);
  });
  expect(repeated).toEqual([]);
});

/** Returns the rules and at-rules of a style sheet, each on one line. */
function topLevelBlocks(css: string): string[] {
  const blocks: string[] = [];
  let [depth, begin] = [0, 0];
  const text = css.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/\s+/g, ' ');
  for (const { 0: brace, index } of text.matchAll(/[{}]/g)) {
    depth += brace === '{' ? 1 : -1;
    if (depth > 0) continue;
    blocks.push(text.slice(begin, index + 1).trim());
    begin = index + 1;
  }
  return blocks;
}

test('exports have names', () => {
  const unnamed = sources.filter(
    ({ path, text }) => /^export default/m.test(text) && !/\.config\.ts$|^migrations\//.test(path),
  );
  expect(unnamed.map(({ path }) => path)).toEqual([]);
});

/** Written in parts, because this file must not contain the words either. */
const FORBIDDEN = [
  ['/wor', 'k/'],
  ['\\.libr', 'ary\\b'],
  ['\\bissues? ', '#?\\d'],
  ['\\bthe fou', 'nder\\b'],
  ['\\bClau', 'de\\b'],
  ['\\bAnthro', 'pic\\b'],
  ['\\bTO', 'DO\\b'],
  ['\\bFIX', 'ME\\b'],
].map((parts) => parts.join(''));
const ANY_FORBIDDEN = new RegExp(FORBIDDEN.join('|'), 'i');

test('nothing speaks of how it came about, nor leaves work behind', () => {
  const texts = listFiles('', /\.(tsx?|m?js|md|css|html|json|ya?ml|sh)$|^run$/).filter(
    (path) => path !== 'package-lock.json',
  );
  const found = texts.flatMap((path) => {
    const text = readText(path);
    // Testing whole files first is faster: hardly any contains such a word.
    if (!ANY_FORBIDDEN.test(text)) return [];
    const lines = text.split('\n').map((line, index) => ({ place: `${path}:${index + 1}`, line }));
    return lines
      .filter(({ line }) => ANY_FORBIDDEN.test(line))
      .map(({ place, line }) => `${place} says ${line.trim()}`);
  });
  expect(found).toEqual([]);
});

test('links between documents lead somewhere', () => {
  const broken = listFiles('', /\.md$/).flatMap((path) =>
    [...readText(path).matchAll(/\]\(([^)\s]+)\)/g)]
      .map((match) => match[1]!)
      .filter((link) => !/^[a-z]+:/.test(link) && !leadsSomewhere(path, link))
      .map((link) => `${path}: ${link}`),
  );
  expect(broken).toEqual([]);
});

function leadsSomewhere(from: string, link: string): boolean {
  const [file = '', anchor] = link.split('#');
  const target = file === '' ? from : posix.join(posix.dirname(from), decodeURI(file));
  if (!existsSync(join(ROOT, target))) return false;
  return anchor === undefined || headings(target).includes(anchor);
}

/** Anchors in GitHub's format of headings. */
function headings(path: string): string[] {
  const titles = readText(path).matchAll(/^#+\s+(.+)$/gm);
  return [...titles].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(/\s/g, '-'),
  );
}

test('decision records are listed in order of number', () => {
  const listed = [...readText('docs/decisions/README.md').matchAll(/^\| \[(\d{4})\]\(([^)]+)\)/gm)].map(
    ([, number, file]) => ({ number: number!, file: file! }),
  );
  expect(listed.map(({ number }) => number)).toEqual(listed.map(({ number }) => number).toSorted());
  expect(listed.map(({ file }) => file).toSorted()).toEqual(
    listFiles('docs/decisions', /^\d{4}-.*\.md$/)
      .map((path) => posix.basename(path))
      .toSorted(),
  );
  expect(listed.every(({ number, file }) => file.startsWith(number))).toBe(true);
});

test('the root of the server holds its start alone, and no file of the composition root is long', () => {
  expect(listFiles('server').filter((path) => /^server\/[^/]+\.tsx?$/.test(path))).toEqual(['server/main.ts']);
  const long = listFiles('server/compose', /\.ts$/).filter((path) => readText(path).split('\n').length > 201);
  expect(long.filter((path) => !isTest(path))).toEqual([]);
});
