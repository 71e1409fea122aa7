/** Finds the translation of a finished English sentence by the text it was made of, as messages come from the server with their values in them. */

export interface Patterns {
  translate: (text: string) => string;
}

interface Pattern {
  expression: RegExp;
  names: readonly string[];
  translation: string;
}

const VALUE = /\{(\w+)\}/g;
/** Of a sentence within a sentence: 'Network error: …'. */
const DEEPEST = 3;

/** @param texts by their English; of those with values only plain ones count, plurals are never the server's. */
export function createPatterns(texts: ReadonlyMap<string, string>): Patterns {
  const patterns = [...texts]
    .filter(([english]) => /\{\w+\}/.test(english) && !english.includes(', plural,') && !english.includes('<'))
    .map(([english, translation]) => toPattern(english, translation))
    // What says most in words of its own is asked first.
    .sort((a, b) => b.weight - a.weight);
  const translate = (text: string, depth: number): string => {
    const known = texts.get(text);
    if (known !== undefined || depth === DEEPEST) return known ?? text;
    for (const { expression, names, translation } of patterns) {
      const found = expression.exec(text);
      if (!found) continue;
      const values = new Map(names.map((name, index) => [name, translate(found[index + 1]!, depth + 1)]));
      return translation.replaceAll(VALUE, (whole, name: string) => values.get(name) ?? whole);
    }
    return text;
  };
  return { translate: (text) => translate(text, 0) };
}

function toPattern(english: string, translation: string): Pattern & { weight: number } {
  const names = [...english.matchAll(VALUE)].map(([, name]) => name!);
  const words = english.split(/\{\w+\}/);
  const source = words.map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('(.+?)');
  return { expression: new RegExp(`^${source}$`, 's'), names, translation, weight: words.join('').length };
}
