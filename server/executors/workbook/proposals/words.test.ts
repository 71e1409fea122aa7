import { expect, it } from 'vitest';
import { isInputHeading, isInputSheet, isResultHeading, isTotalWord, resultWord } from './words.ts';

it.each([
  ['Net pay', 2],
  ['Rechnungsbetrag', 2],
  ['Net à payer', 2],
  ['Résultat', 2],
  ['Total a pagar', 2],
  ['Lucro líquido', 2],
  ['Totale fattura', 2],
  ['Te betalen', 2],
  ['Gesamtkosten', 1],
  ['Nettobetrag', 1],
  ['Prix HT', 1],
  ['Importe', 1],
  ['Preço', 1],
  ['Valore', 1],
  ['Bedrag', 1],
  ['Name', 0],
  ['Sonhos', 0],
])('%s is a result of strength %d', (text, strength) => {
  expect(resultWord(text)).toBe(strength);
});

it('knows totals, headings and sheets in several languages', () => {
  for (const text of ['Gesamtsumme', 'Sous-total', 'Suma', 'Média', 'Totale', 'Subtotaal'])
    expect(isTotalWord(text)).toBe(true);
  for (const text of ['Annahmen', 'Hypothèses', 'Supuestos', 'Premissas', 'Parametri', 'Uitgangspunten']) {
    expect(isInputHeading(text)).toBe(true);
  }
  for (const text of ['Ergebnisse', 'Résultats', 'Resultados', 'Riepilogo', 'Samenvatting'])
    expect(isResultHeading(text)).toBe(true);
  for (const name of ['Rechner', 'Saisie', 'Calculadora', 'Invoer']) expect(isInputSheet(name)).toBe(true);
  expect(isTotalWord('Sommer')).toBe(false);
});
