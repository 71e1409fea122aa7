/** Positions in a text that patterns require, and patterns bound to them. */
import { isWord } from './classes.ts';
import type { RegexNode } from './syntax.ts';

/** Returns true if an anchor matches at a position. */
export function holdsAnchor(
  { kind, lines }: Extract<RegexNode, { type: 'anchor' }>,
  text: string,
  at: number,
): boolean {
  const lastLine = at === text.length || (at === text.length - 1 && text[at] === '\n');
  switch (kind) {
    case 'textStart':
      return at === 0;
    case 'start':
      return at === 0 || (lines && text[at - 1] === '\n');
    case 'textEnd':
      return at === text.length;
    case 'lastLine':
      return lastLine;
    case 'end':
      return lastLine || (lines && text[at] === '\n');
    case 'word':
    case 'noWord': {
      const before = at > 0 && isWord(text.charCodeAt(at - 1));
      const after = at < text.length && isWord(text.charCodeAt(at));
      return (before !== after) === (kind === 'word');
    }
  }
}

/**
 * Returns true if the pattern begins with '.*' outside groups. If such a search fails at the start of a line, it also
 * fails at later positions of the line.
 */
export function beginsWithAnything(root: RegexNode): boolean {
  const first = root.type === 'sequence' ? root.items[0] : root;
  return (
    first?.type === 'repeat' &&
    first.body.type === 'set' &&
    first.body.isDot === true &&
    first.min === 0 &&
    first.max === Infinity &&
    first.mode !== 'possessive'
  );
}
