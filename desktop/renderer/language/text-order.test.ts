import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTextOrder } from './text-order.ts';

const ODD = ['', 'ß', 'é', 'É', 'ä', 'Zürich', '東京', 'a\u0301', 'a\tb', '\u00ad-', 'ﬁ'];
const plain = fc.string({ unit: fc.constantFrom(...' -_.,/\'"()#%0123456789abcABCzZ~'.split('')), maxLength: 6 });
const texts = fc.oneof(plain, fc.string({ maxLength: 5 }), fc.constantFrom(...ODD));

test.each(['en', 'de', 'cs'])('texts have the order of the language (%s), plain or not', (locale) => {
  const { compare } = new Intl.Collator(locale, { sensitivity: 'accent' });
  const order = createTextOrder(locale);
  const signOf = (a: string, b: string): number => Math.sign(order.compare(order.prepare(a), order.prepare(b)));
  fc.assert(
    fc.property(texts, texts, (a, b) => {
      expect(signOf(a, b)).toBe(Math.sign(compare(a, b)));
    }),
    { numRuns: 5000 },
  );
});
