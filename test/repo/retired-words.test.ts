/** Names and texts use the words of docs/glossary.md, and not those which they replaced. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'vite';
import { expect, test } from 'vitest';
import { listFiles, readSources, readText, ROOT } from './source-files.ts';

/** Parts of names that are replaced, each with the word to use instead. */
const NAME_PARTS = new Map([
  ['anteroom', 'local queue'],
  ['chain', 'workflow'],
  ['chains', 'workflows'],
  ['deafen', 'unsubscribe'],
  ['facilities', 'capabilities'],
  ['heed', 'use'],
  ['keepsake', 'logout context'],
  ['lane', 'priority band'],
  ['lookout', 'work probe'],
  ['mend', 'fix'],
  ['misfit', 'incompatibility'],
  ['misfits', 'incompatibilities'],
  ['remedy', 'how to fix'],
  ['surroundings', 'environment'],
  ['teller', 'publisher'],
  ['timetable', 'schedule'],
  ['timetables', 'schedules'],
]);
/** Constants say MIN_ and MAX_. */
const CONSTANT_OF_SIZE = /^(MOST|LEAST|LONGEST|SHORTEST)_/;
/** Names in which the word has another meaning, or which are those of a table, a column or a field. */
const ALLOWED_NAMES = [/verifyChain|ChainReport|calcChain/i, /^Timetable(Row|Facts|Id|Name)$/, /^Remedy$/];
/** Sources of other meanings: hash chains of the security log, tables of the database. */
const ALLOWED_SOURCES = [
  /^migrations\//,
  /^server\/db\/tables\.ts$/,
  /^server\/executors\/workbook\/(calc-chain|form-models\.test|encrypted\/default-password\.test)\.ts$/,
  /^server\/(operations\/verify-data|features\/live\/live-(service|stream))\.ts$/,
  /^server\/calculation\//,
  /^scripts\/bench\/ironcalc\//,
  /^test\/repo\/retired-words\.test\.ts$/,
];

/** Words that no comment, document or screen text uses. */
const PHRASES =
  /\b(anew|anteroom|keepsake|misfits?|lookout|further schedules?|hand(?:s|ed)? over|put aside|signs? of life|fair turns|goes on|is told of|are told of)\b/i;
/** Further words that no title of a test uses. */
const TITLE_PHRASES =
  /\b(go on|going on|(?:is|are|was|were|been?) told|hears? of|for ever|by itself|by themselves|of (?:its|their) own|whoever|meanwhile|mend(?:s|ed)?)\b/i;
/** German words that the list in docs/glossary.md replaces. */
const GERMAN_PHRASES = /\b(Checklisten?|Passw[oö]rt\w*|[Aa]usgelassen\w*|Add-ins?|noch einmal|Kn[oö]pfe?)\b/;
/** Also those of a table: `test.each([…])('title', …)`. */
const TITLE = /(?:\b(?:describe|it|test)(?:\.\w+)*|\))\(\s*(['"`])((?:\\.|(?!\1).)*)\1/gs;
const WHOLE_WORD = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g;

interface Node {
  type: string;
  [field: string]: unknown;
}
const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

const nameOf = (value: unknown): string => (isNode(value) && typeof value['name'] === 'string' ? value['name'] : '');

/** Returns the names that a source declares. Members that begin with a capital are fields of calls or columns. */
function declaredNames(path: string, text: string): { names: string[]; comments: string[] } {
  const { program, comments } = parseSync(path, text, { lang: path.endsWith('x') ? 'tsx' : 'ts' });
  const names: string[] = [];
  const visit = (node: Node): void => {
    if (/^(VariableDeclarator|(Function|Class|TSTypeAlias|TSInterface)Declaration)$/.test(node.type))
      names.push(nameOf(node['id']));
    if (/Function/.test(node.type) && Array.isArray(node['params'])) names.push(...node['params'].map(nameOf));
    if (/^(TSPropertySignature|TSMethodSignature|PropertyDefinition|MethodDefinition)$/.test(node.type)) {
      const name = nameOf(node['key']);
      if (/^[a-z]/.test(name)) names.push(name);
    }
    for (const value of Object.values(node)) {
      if (Array.isArray(value)) value.filter(isNode).forEach(visit);
      else if (isNode(value)) visit(value);
    }
  };
  visit(program as unknown as Node);
  return { names: names.filter((name) => name !== ''), comments: comments.map(({ value }) => value) };
}

const sources = readSources().filter(({ path }) => !ALLOWED_SOURCES.some((allowed) => allowed.test(path)));
const parsed = sources.map(({ path, text }) => ({ path, ...declaredNames(path, text) }));

test('no declared name has a retired word', () => {
  const found = parsed.flatMap(({ path, names }) =>
    [...new Set(names)]
      .filter((name) => !ALLOWED_NAMES.some((allowed) => allowed.test(name)))
      .flatMap((name) =>
        (name.match(WHOLE_WORD) ?? [])
          .map((part) => NAME_PARTS.get(part.toLowerCase()))
          .concat(CONSTANT_OF_SIZE.test(name) ? 'MIN or MAX' : [])
          .filter((word) => word !== undefined)
          .map((word) => `${path}: ${name}; say ${word}`),
      ),
  );
  expect(found).toEqual([]);
});

test('no comment has a retired word', () => {
  const found = parsed.flatMap(({ path, comments }) =>
    comments.flatMap((comment) => {
      const hit = PHRASES.exec(comment.replaceAll(/\s*\n\s*\*?\s*/g, ' '))?.[0];
      return hit === undefined ? [] : [`${path}: ${hit}`];
    }),
  );
  expect(found).toEqual([]);
});

test('no title of a test has a retired word', () => {
  const found = sources.flatMap(({ path, text }) =>
    [...text.matchAll(TITLE)]
      .map(([, , title = '']) => title)
      .filter((title) => PHRASES.test(title) || TITLE_PHRASES.test(title))
      .map((title) => `${path}: ${title}`),
  );
  expect(found).toEqual([]);
});

test('no document has a retired word', () => {
  const pages = [...listFiles('docs', /\.md$/), 'README.md', 'CONTRIBUTING.md'];
  const found = pages.flatMap((path) => {
    const hit = PHRASES.exec(readText(path).replaceAll(/`[^`]*`/g, ''))?.[0];
    return hit === undefined ? [] : [`${path}: ${hit}`];
  });
  expect(found).toEqual([]);
});

test('no text of a screen or of the server has a retired word', () => {
  const files = ['desktop/renderer/language/de', 'shared/messages/de'].flatMap((folder) =>
    listFiles(folder, /\.json$/),
  );
  const texts = files.flatMap((path) =>
    Object.keys(JSON.parse(readFileSync(join(ROOT, path), 'utf8')) as Record<string, string>),
  );
  expect(texts.length).toBeGreaterThan(1000);
  expect(texts.filter((text) => PHRASES.test(text))).toEqual([]);
});

test('no German text has a retired word', () => {
  const texts = listFiles('desktop/renderer/language/de', /\.json$/).flatMap((path) =>
    Object.values(JSON.parse(readFileSync(join(ROOT, path), 'utf8')) as Record<string, string>),
  );
  expect(texts.filter((text) => GERMAN_PHRASES.test(text))).toEqual([]);
});
