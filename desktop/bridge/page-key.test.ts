import { describe, expect, test } from 'vitest';
import { takePageKey, withPageKey } from './page-key.ts';

describe('the key of a page', () => {
  test.each(['api/settings', 'api/activities?name=a%20b+c&empty=', 'api/x?page-key=of-a-field&y=1'])(
    'is taken off the address %s, which stays as it was written',
    (path) => {
      const { url, key } = takePageKey(withPageKey(`runsheet://app/${path}`, 'Secret_-1'));
      expect([url.href, key]).toEqual([`runsheet://app/${path}`, 'Secret_-1']);
    },
  );

  test.each(['', '?page-key=', '?page-key=a&x=1', '?x=page-key=a', '#page-key=a'])(
    'is not found in the query %j',
    (tail) => {
      expect(takePageKey(`runsheet://app/api/settings${tail}`).key).toBe('');
    },
  );
});
