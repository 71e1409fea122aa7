import { expect, it } from 'vitest';
import { splitUnit } from './labels.ts';

it.each([
  ['Interest rate (p.a.):', 'Interest rate', 'p.a.'],
  ['Zinssatz p.a.', 'Zinssatz', 'p.a.'],
  ['Zinssatz p. a.', 'Zinssatz', 'p. a.'],
  ['Rabatt in %', 'Rabatt', '%'],
  ['Preis in €', 'Preis', '€'],
  ['Umsatz in TEUR', 'Umsatz', 'TEUR'],
  ['Length, mm', 'Length', 'mm'],
  ['Größe in m²', 'Größe', 'm²'],
])('splits the unit from %s', (text, name, unit) => {
  expect(splitUnit(text)).toEqual({ name, unit });
});

it.each(['Check in', 'Date of check in Berlin', 'In %', 'Gültig bis'])('takes nothing in %s for a unit', (text) => {
  expect(splitUnit(text)).toEqual({ name: text, unit: null });
});
