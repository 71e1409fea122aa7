import type { Profile } from '@node-saml/node-saml';
import { expect, test } from 'vitest';
import { claimsOf } from './saml2-identity.ts';

test('attributes that are empty or consist of XML elements are shown too, and a missing NameID as empty', () => {
  // As the library reads them.
  const attributes = {
    mail: 'ada@example.org',
    groups: ['a', undefined],
    phone: undefined,
    eduPersonTargetedID: { NameID: [{ _: 'x7' }] },
  };
  expect(claimsOf({ attributes } as unknown as Profile)).toEqual([
    { Name: 'NameID', Values: [''] },
    { Name: 'mail', Values: ['ada@example.org'] },
    { Name: 'groups', Values: ['a', ''] },
    { Name: 'phone', Values: [''] },
    { Name: 'eduPersonTargetedID', Values: ['{"NameID":[{"_":"x7"}]}'] },
  ]);
});
