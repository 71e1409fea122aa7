import { expect, it } from 'vitest';
import { browserRegion, followLanguage, personRegion, useRegion } from './region.ts';

it.each<[string[], string, string | null]>([
  [['de-AT', 'de', 'en'], 'de', 'de-AT'],
  [['de-DE', 'de', 'en-US', 'en'], 'en', 'de-DE'],
  [['en-US', 'en'], 'de', null],
  [['en'], 'en', 'en-US'],
  [['de'], 'de', 'de-DE'],
  [['fr', 'en'], 'en', 'fr-FR'],
  [['es-PE', 'en'], 'en', 'es-ES'],
  [['ar-EG', 'en'], 'en', null],
  [[], 'en', null],
])('the region of a browser of %j that is shown %s is %s', (tags, spoken, region) => {
  expect(browserRegion(tags, spoken)).toBe(region);
});

it('is the one of the language, where none is told', () => {
  followLanguage('de');
  expect(personRegion()).toMatchObject({ Id: 'de-DE', Decimal: ',', DayOrder: 'dmy' });
  useRegion('en-GB');
  expect(personRegion()).toMatchObject({ Id: 'en-GB', Decimal: '.', DayOrder: 'dmy' });
  useRegion(null);
  followLanguage('en');
  expect(personRegion()).toMatchObject({ Id: 'en-US', DayOrder: 'mdy' });
});
