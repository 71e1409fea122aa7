/** The functions of XPath 1.0, and its conversions. Source: W3C, 'XML Path Language (XPath) Version 1.0', chapter 4. */
import { stringValue } from './document.ts';
import type { XmlNode } from './document.ts';

export type XPathValue = number | string | boolean | readonly XmlNode[];

/** The context in which an expression is evaluated. */
export interface Focus {
  node: XmlNode;
  position: number;
  size: number;
}

export const toXPathText = (value: XPathValue): string => {
  if (typeof value === 'string') return value;
  if (typeof value === 'object') return value.length === 0 ? '' : stringValue(value[0]!);
  return typeof value === 'number' && Object.is(value, -0) ? '0' : String(value);
};

export function toXPathNumber(value: XPathValue): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'boolean') return Number(value);
  const text = toXPathText(value).trim();
  return /^-?(?:\d+\.?\d*|\.\d+)$/.test(text) ? Number(text) : Number.NaN;
}

export function toXPathBoolean(value: XPathValue): boolean {
  if (typeof value === 'number') return value !== 0 && !Number.isNaN(value);
  return typeof value === 'boolean' ? value : value.length > 0;
}

interface XPathFunction {
  minArguments: number;
  maxArguments: number;
  call: (args: XPathValue[], focus: Focus) => XPathValue | null;
}

const define = (minArguments: number, maxArguments: number, call: XPathFunction['call']): XPathFunction => ({
  minArguments,
  maxArguments,
  call,
});

/** Returns the argument, or the context node if it is omitted. */
const own = (args: XPathValue[], focus: Focus): XPathValue => args[0] ?? [focus.node];
const textOf = (args: XPathValue[], at: number): string => toXPathText(args[at]!);
const rounded = (change: (x: number) => number): XPathFunction => define(1, 1, ([x]) => change(toXPathNumber(x!)));

function nameOf(args: XPathValue[], focus: Focus): string | null {
  const nodes = own(args, focus);
  return typeof nodes === 'object' ? (nodes[0]?.name ?? '') : null;
}

/** Returns characters from a 1-based, rounded position on; NaN yields nothing. */
function substring(text: string, from: number, length: number): string {
  const start = Math.round(from);
  const end = start + Math.round(length);
  return Array.from(text)
    .filter((_, index) => index + 1 >= start && index + 1 < end)
    .join('');
}

function translated(text: string, from: string, to: string): string {
  const targets = Array.from(to);
  const map = new Map<string, string>();
  Array.from(from).forEach((char, index) => {
    if (!map.has(char)) map.set(char, targets[index] ?? '');
  });
  return Array.from(text, (char) => map.get(char) ?? char).join('');
}

export const XPATH_FUNCTIONS: ReadonlyMap<string, XPathFunction> = new Map<string, XPathFunction>([
  ['last', define(0, 0, (_, { size }) => size)],
  ['position', define(0, 0, (_, { position }) => position)],
  ['count', define(1, 1, ([nodes]) => (typeof nodes === 'object' ? nodes.length : null))],
  ['name', define(0, 1, nameOf)],
  ['local-name', define(0, 1, (args, focus) => nameOf(args, focus)?.replace(/^.*:/, '') ?? null)],
  ['namespace-uri', define(0, 1, () => '')],
  ['string', define(0, 1, (args, focus) => toXPathText(own(args, focus)))],
  ['concat', define(2, Infinity, (args) => args.map(toXPathText).join(''))],
  ['starts-with', define(2, 2, (args) => textOf(args, 0).startsWith(textOf(args, 1)))],
  ['contains', define(2, 2, (args) => textOf(args, 0).includes(textOf(args, 1)))],
  [
    'substring-before',
    define(2, 2, (args) => textOf(args, 0).slice(0, Math.max(0, textOf(args, 0).indexOf(textOf(args, 1))))),
  ],
  [
    'substring-after',
    define(2, 2, (args) => {
      const [text, mark] = [textOf(args, 0), textOf(args, 1)];
      return text.includes(mark) ? text.slice(text.indexOf(mark) + mark.length) : '';
    }),
  ],
  [
    'substring',
    define(2, 3, (args) =>
      substring(textOf(args, 0), toXPathNumber(args[1]!), args.length > 2 ? toXPathNumber(args[2]!) : Infinity),
    ),
  ],
  ['string-length', define(0, 1, (args, focus) => Array.from(toXPathText(own(args, focus))).length)],
  ['normalize-space', define(0, 1, (args, focus) => toXPathText(own(args, focus)).trim().replace(/\s+/g, ' '))],
  ['translate', define(3, 3, (args) => translated(textOf(args, 0), textOf(args, 1), textOf(args, 2)))],
  ['boolean', define(1, 1, ([value]) => toXPathBoolean(value!))],
  ['not', define(1, 1, ([value]) => !toXPathBoolean(value!))],
  ['true', define(0, 0, () => true)],
  ['false', define(0, 0, () => false)],
  ['number', define(0, 1, (args, focus) => toXPathNumber(own(args, focus)))],
  [
    'sum',
    define(1, 1, ([nodes]) =>
      typeof nodes === 'object' ? nodes.reduce((sum, node) => sum + toXPathNumber([node]), 0) : null,
    ),
  ],
  ['floor', rounded(Math.floor)],
  ['ceiling', rounded(Math.ceil)],
  ['round', rounded(Math.round)],
]);
