/** Writes a manifest as YAML text that reads back as the same value. */
import { Document, isCollection, isMap, isPair, isScalar, visit } from 'yaml';

/** Maps that are written in one line, such as `fromOutput: { step: collect, output: Total }`. */
const IN_ONE_LINE = new Set(['fromOutput', 'activity', 'position', 'workflow', 'of']);
const IN_ONE_LINE_ITEMS = 'after';
/** Line breaks of Windows and Unicode, and control characters, survive only in double quotes. */
const NEEDS_QUOTES = /[^\n\P{Cc}]|[\u2028\u2029\ufeff\ud800-\udfff]|[ \t]\n|\n\s*$|^\s/u;
/** Texts that need no quotes in a map of one line; the writer still quotes those that look like numbers. */
const IS_PLAIN = /^[\p{L}\p{N}_][\p{L}\p{N}_ .()-]*$/u;

export function writeManifest(manifest: object): string {
  const document = new Document(manifest, {
    version: '1.2',
    // Quotes texts such as yes and on, which other readers take for truth values.
    compat: 'yaml-1.1',
    aliasDuplicateObjects: false,
  });
  visit(document, {
    Pair: (_, { key, value }) => {
      if (!isScalar(key) || typeof key.value !== 'string') return;
      if (isMap(value) && IN_ONE_LINE.has(key.value)) value.flow = true;
    },
    Map: (_, node, path) => {
      const pair = path.at(-2);
      if (isPair(pair) && isScalar(pair.key) && pair.key.value === IN_ONE_LINE_ITEMS) node.flow = true;
    },
    Scalar: (_, node, path) => {
      if (typeof node.value !== 'string') return;
      const isInOneLine = path.some((parent) => isCollection(parent) && parent.flow === true);
      if (NEEDS_QUOTES.test(node.value) || (isInOneLine && !IS_PLAIN.test(node.value))) node.type = 'QUOTE_DOUBLE';
    },
  });
  return document.toString({ lineWidth: 0, flowCollectionPadding: true });
}
