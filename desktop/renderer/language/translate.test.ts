import { createElement, isValidElement, type ReactElement, type ReactNode } from 'react';
import { afterEach, describe, expect, it } from 'vitest';
import { compareNames, numberText } from './numbers.ts';
import { rich, said, speak, t } from './translate.ts';

afterEach(() => speak('en', {}));

const childrenOf = (node: ReactNode): unknown =>
  isValidElement(node) ? (node as ReactElement<{ children: unknown }>).props.children : node;

describe('a text', () => {
  it('is shown as it was written where no catalogue has it', () => {
    speak('de', { Save: 'Speichern' });
    expect([t('Save'), t('Not yet translated')]).toEqual(['Speichern', 'Not yet translated']);
  });

  it('takes values, whatever apostrophes stand around them', () => {
    expect(t("Nothing found for '{wanted}'", { wanted: 'a {b}' })).toBe("Nothing found for 'a {b}'");
  });

  it('has the plural and the digits of its language', () => {
    const rows = '{count, plural, one {# row} other {# rows}}';
    expect([1, 12_345].map((count) => t(rows, { count }))).toEqual(['1 row', '12,345 rows']);
    speak('de', { [rows]: '{count, plural, one {# Zeile} other {# Zeilen}}' });
    expect([1, 12_345].map((count) => t(rows, { count }))).toEqual(['1 Zeile', '12.345 Zeilen']);
  });

  it('keeps its elements where the language puts them', () => {
    speak('de', { 'See <link>all {count}</link>, {time}': '{time}: <link>alle {count}</link> ansehen' });
    const drawn = rich('See <link>all {count}</link>, {time}', {
      link: createElement('a', { href: '/all' }),
      count: 3,
      time: createElement('time'),
    });
    const [time, colon, link, rest] = childrenOf(drawn) as ReactElement<{ href: string; children: unknown }>[];
    expect([time!.type, colon, rest]).toEqual(['time', ': ', ' ansehen']);
    expect(link!.props).toEqual({ href: '/all', children: ['alle ', 3] });
  });
});

describe('a message of the server', () => {
  it('is found by its words around the values, also within another one', () => {
    speak('de', {
      'Network error: {detail}': 'Netzwerkfehler: {detail}',
      'Value must be between {low} and {high}': 'Der Wert muss zwischen {low} und {high} liegen',
    });
    expect(said('Network error: Value must be between 1 and 40')).toBe(
      'Netzwerkfehler: Der Wert muss zwischen 1 und 40 liegen',
    );
    expect(said('Something else')).toBe('Something else');
  });
});

describe('names and numbers', () => {
  it('follow the language', () => {
    speak('sv', {});
    expect(['Öl', 'Zebra'].toSorted(compareNames)).toEqual(['Zebra', 'Öl']);
    speak('de', {});
    expect(['Zebra', 'Öl', 'file 10', 'File 9'].toSorted(compareNames)).toEqual(['File 9', 'file 10', 'Öl', 'Zebra']);
    expect(numberText(1234.5)).toBe('1.234,5');
  });
});
