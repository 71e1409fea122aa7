import { describe, expect, it } from 'vitest';
import { parseAddresses, singleAddress } from './mail-addresses.ts';

describe('addresses of mails', () => {
  it('are taken with and without a name', () => {
    expect(singleAddress(' ann@example.com ')).toEqual({ name: '', address: 'ann@example.com' });
    expect(singleAddress('"Lee, Ann" <ann.lee@mail.example.com>')).toEqual({
      name: 'Lee, Ann',
      address: 'ann.lee@mail.example.com',
    });
  });

  it('are refused where they could be more than one, or more than an address', () => {
    for (const text of [
      '',
      'ann',
      'ann@',
      'a@b@c',
      'ann@example.com, bob@example.com',
      'ann@example.com\r\nBcc: eve@example.com',
      'Ann <ann@example.com> <eve@example.com>',
      '<ann@example.com',
      'a..b@example.com',
      '.a@example.com',
      'ann@-example.com',
      'ann@exam ple.com',
      `${'a'.repeat(250)}@example.com`,
    ])
      expect(singleAddress(text), text).toBeNull();
  });

  it('come from a list, each once, and its errors are reported', () => {
    const { addresses, wrong } = parseAddresses('ann@example.com; Bob <bob@example.com>,nobody\nANN@example.com');
    expect(addresses.map(({ address }) => address)).toEqual(['ann@example.com', 'bob@example.com']);
    expect(wrong).toEqual(['nobody']);
  });
});
