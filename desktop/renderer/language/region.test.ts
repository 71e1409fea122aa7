import { expect, it } from 'vitest';
import { browserRegion, followLanguage, personRegion, useRegion } from './region.ts';
import { neutralNumber } from './typed-numbers.ts';

it.each<[string[], string, string | null]>([
  [['de-AT', 'de', 'en'], 'de', 'de-AT'],
  [['de-DE', 'de', 'en-US', 'en'], 'en', 'de-DE'],
  [['en-US', 'en'], 'de', null],
  [['en'], 'en', 'en-US'],
  [['de'], 'de', 'de-DE'],
  [['fr', 'en'], 'en', 'fr-FR'],
  [['fr-FR', 'fr'], 'en', 'fr-FR'],
  [['sv-SE'], 'en', 'sv-SE'],
  [['es-PE', 'en'], 'en', 'es-ES'],
  [['ar-EG', 'en'], 'en', null],
  [[], 'en', null],
])('the region of a browser of %j that is shown %s is %s', (tags, spoken, region) => {
  expect(browserRegion(tags, spoken)).toBe(region);
});

it('is the one of the language if none is set', () => {
  followLanguage('de');
  expect(personRegion()).toMatchObject({ Id: 'de-DE', Decimal: ',', DayOrder: 'dmy' });
  useRegion('en-GB');
  expect(personRegion()).toMatchObject({ Id: 'en-GB', Decimal: '.', DayOrder: 'dmy' });
  useRegion(null);
  followLanguage('en');
  expect(personRegion()).toMatchObject({ Id: 'en-US', DayOrder: 'mdy' });
});

it('reads thousands in fields of the portal with the point that the country types', () => {
  useRegion('de-AT');
  expect(['1.000', '1.234.567,5', '1,5', '12.5'].map(neutralNumber)).toEqual(['1000', '1234567.5', '1.5', '12.5']);
  useRegion('en-US');
  expect(['1.000', '1,000'].map(neutralNumber)).toEqual(['1', '1000']);
  useRegion(null);
});
