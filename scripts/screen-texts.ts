/**
 * Finds the texts on the screens by parsing their sources: those that are translated through the catalogue, and those
 * that are not.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'vite';

const RENDERER = fileURLToPath(new URL('../desktop/renderer/', import.meta.url));
const MESSAGES = fileURLToPath(new URL('../shared/messages/', import.meta.url));

export interface ScreenText {
  text: string;
  path: string;
  line: number;
  /** True if the text is translated when its module is loaded instead of when it is shown. */
  isAtTop: boolean;
}

export interface Screens {
  /** Texts that are translated through the catalogue. */
  texts: ScreenText[];
  /** Texts that users read but no catalogue can translate: '<path>:<line> <text>'. */
  bare: string[];
  imports: Map<string, { now: string[]; later: string[] }>;
}

interface Node {
  type: string;
  start: number;
  [field: string]: unknown;
}

/** Attributes and properties with texts that users read. */
const READ =
  /^(title|label|text|placeholder|aria-label|helper|description|heading|labelInfo|confirmText|empty|failure|message|does|hint|number|noneText|submitText|otherwise|none|all|words|holder|ariaLabel)$/;
/** Attributes with blanks in their values that users do not read. */
const NOT_READ = /^(key|className|d)$/;
/** A word next to a blank. URLs and style names do not contain this. */
const SPACED_WORD = /\p{L}{2} | \p{L}{2}/u;
const SAYS = /^(show(Message|Error|Success|Warning)|useDocumentTitle)$/;
/** Texts that do not need a translation. */
const PLAIN =
  /^(Runsheet|true|false|https:\/\/|Ctrl[ +]K|day\/Mon\/year|hh:mm|one; two; three|[a-z]+\.[a-z]+|\d* ?ms|… MB)$/;
const WORD = /\p{L}{2}/u;

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

function nameOf(value: unknown): string {
  if (!isNode(value)) return '';
  const name = value['name'] ?? value['value'];
  return typeof name === 'string' ? name : '';
}

function literals(node: unknown): string[] {
  if (!isNode(node)) return [];
  if (node.type === 'Literal') return typeof node['value'] === 'string' ? [node['value']] : [];
  if (node.type === 'ConditionalExpression') return [...literals(node['consequent']), ...literals(node['alternate'])];
  if (node.type === 'LogicalExpression') return literals(node['right']);
  if (node.type === 'ArrayExpression') return (node['elements'] as unknown[]).flatMap(literals);
  if (node.type === 'ArrowFunctionExpression') return literals(node['body']);
  if (node.type !== 'TemplateLiteral') return [];
  const words = (node['quasis'] as { value: { cooked: string } }[]).map(({ value }) => value.cooked);
  return words.some((word) => WORD.test(word)) ? [words.join('…')] : [];
}

const isList = (node: unknown): boolean => isNode(node) && node.type === 'ArrayExpression';

export function readScreens(): Screens {
  const screens: Screens = { texts: [], bare: [], imports: new Map() };
  for (const name of readdirSync(RENDERER, { recursive: true, encoding: 'utf8' }).toSorted()) {
    const path = name.replaceAll('\\', '/');
    if (/\.tsx?$/.test(path) && !/\.test\.tsx?$|\.d\.ts$|^language\//.test(path)) readScreen(path, screens);
  }
  return screens;
}

function readScreen(path: string, { texts, bare, imports }: Screens): void {
  const code = readFileSync(RENDERER + path, 'utf8');
  const { program } = parseSync(path, code, { lang: path.endsWith('x') ? 'tsx' : 'ts' });
  const own = { now: [] as string[], later: [] as string[] };
  imports.set(path, own);
  const lineOf = (node: Node): number => code.slice(0, node.start).split('\n').length;
  const findBare = (node: unknown): void => {
    for (const text of literals(node)) {
      const isRead = WORD.test(text) && !PLAIN.test(text.trim()) && !/^(rs|bp\d)-/.test(text);
      if (isRead) bare.push(`${path}:${lineOf(node as Node)} ${text}`);
    }
  };
  const visit = (value: unknown, isAtTop: boolean): void => {
    if (Array.isArray(value)) value.forEach((each) => visit(each, isAtTop));
    if (!isNode(value)) return;
    const target = importedPath(path, value['source']);
    if (target && value.type === 'ImportExpression') own.later.push(target);
    else if (target && value['importKind'] !== 'type') own.now.push(target);
    if (value.type === 'CallExpression' && /^(t|rich)$/.test(nameOf(value['callee']))) {
      const [first, ...rest] = value['arguments'] as unknown[];
      for (const text of literals(first)) texts.push({ text, path, line: lineOf(value), isAtTop });
      visit(rest, isAtTop);
      return;
    }
    if (value.type === 'BinaryExpression' && /^[!=]==$/.test(String(value['operator']))) {
      const isText = [value['left'], value['right']].some((side) => isNode(side) && nameOf(side['callee']) === 't');
      const isShown = [value['left'], value['right']].some((side) =>
        /^(text|title|said)$/.test(nameOf(side) || nameOf(isNode(side) && side['callee'])),
      );
      if (isText && !isShown) bare.push(`${path}:${lineOf(value)} compares what a language may change`);
    }
    if (value.type === 'CallExpression' && SAYS.test(nameOf(value['callee'])))
      findBare((value['arguments'] as unknown[])[0]);
    if (
      value.type === 'JSXText' &&
      WORD.test(String(value['value'])) &&
      !/^\s*(Ctrl K|·.*|ms)\s*$/.test(String(value['value']))
    )
      bare.push(`${path}:${lineOf(value)} ${String(value['value']).trim()}`);
    if (value.type === 'JSXAttribute' && READ.test(nameOf(value['name']))) {
      const given = value['value'];
      findBare(isNode(given) && given.type === 'JSXExpressionContainer' ? given['expression'] : given);
    } else if (value.type === 'JSXAttribute' && !NOT_READ.test(nameOf(value['name']))) {
      // A template of words and values is meant for users, regardless of the attribute.
      const given = isNode(value['value']) ? value['value']['expression'] : null;
      const isTemplate = isNode(given) && given.type === 'TemplateLiteral';
      if (isTemplate && literals(given).some((text) => SPACED_WORD.test(text))) findBare(given);
    }
    // A list in such a property contains keys, not texts.
    if (value.type === 'Property' && READ.test(nameOf(value['key'])) && !isList(value['value']))
      findBare(value['value']);
    const isLater = /Function/.test(value.type);
    for (const [field, child] of Object.entries(value)) if (field !== 'type') visit(child, isAtTop && !isLater);
  };
  visit(program.body, true);
}

function importedPath(from: string, source: unknown): string | null {
  const specifier = nameOf(source);
  if (specifier.startsWith('#renderer/')) return specifier.slice('#renderer/'.length);
  return specifier.startsWith('.') ? posix.join(posix.dirname(from), specifier) : null;
}

/** Pages that do not require a sign-in. */
const START_PAGES = [
  'features/sign-in/LoginPage.tsx',
  'features/sign-in/ResetPasswordPage.tsx',
  'features/public-run/PublicRunPage.tsx',
  'features/dashboards/PublicDashboardPage.tsx',
  'features/documents/DocumentPage.tsx',
];
/** Modules that load the pages of signed-in users, after all texts are loaded. */
const DOORS = /^app\/(routes\.tsx|[a-z]+-routes\.ts|lazy-frame\.tsx)$/;

/** Returns the modules that are loaded together with the entry. */
export const entryModules = (screens: Screens): Set<string> => reached(screens, ['main.tsx'], false);

/** Returns the modules whose texts are needed before sign-in. */
const startModules = (screens: Screens): Set<string> => reached(screens, ['main.tsx', ...START_PAGES], true);

function reached({ imports }: Screens, from: readonly string[], withLater: boolean): Set<string> {
  const seen = new Set<string>();
  const visit = (path: string): void => {
    const found = imports.get(path);
    if (!found || seen.has(path)) return;
    seen.add(path);
    found.now.forEach(visit);
    if (withLater && !DOORS.test(path)) found.later.forEach(visit);
  };
  from.forEach(visit);
  return seen;
}

/** Parts of the catalogue with the texts of screens. */
export const SCREEN_PARTS = ['start', 'rest', 'excel'] as const;

/**
 * Returns the texts by the part of the catalogue that must contain them. The pane of the Excel add-in is a separate
 * program with a separate part.
 */
export function wantedParts(screens: Screens): Record<(typeof SCREEN_PARTS)[number], Set<string>> {
  const textsOf = (isWanted: (path: string) => boolean): Set<string> =>
    new Set(screens.texts.filter(({ path }) => isWanted(path)).map(({ text }) => text));
  const modules = startModules(screens);
  const ofPane = reached(screens, ['excel/main.tsx'], true);
  const start = textsOf((path) => modules.has(path));
  const rest = textsOf((path) => !path.startsWith('excel/'));
  for (const text of start) rest.delete(text);
  return { start, rest, excel: textsOf((path) => ofPane.has(path)) };
}

export type Part = (typeof SCREEN_PARTS)[number] | 'messages' | 'more-messages';

/** The server translates messages too, so their parts are in the shared folder. */
export const catalogueFile = (language: string, part: Part): string =>
  `${part.endsWith('messages') ? MESSAGES : `${RENDERER}language/`}${language}/${part}.json`;

export const readCatalogue = (language: string, part: Part): Record<string, string> =>
  JSON.parse(readFileSync(catalogueFile(language, part), 'utf8')) as Record<string, string>;
