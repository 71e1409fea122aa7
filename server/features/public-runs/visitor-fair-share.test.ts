import { expect, test } from 'vitest';
import { visitorFairShareKey } from './visitor-fair-share.ts';

test('visitors take turns by their address, and of IPv6 by its network', () => {
  const [one, other] = ['192.0.2.1', '192.0.2.2'].map(visitorFairShareKey);
  expect(one).not.toBe(other);
  expect(visitorFairShareKey('::ffff:192.0.2.1')).toBe(one);
  const network = visitorFairShareKey('2001:db8:0:7::1');
  for (const same of ['2001:DB8::7:1:2:3:4', '2001:db8:0:7:ffff::', '2001:0db8:0000:0007::2%eth0']) {
    expect(visitorFairShareKey(same), same).toBe(network);
  }
  expect(visitorFairShareKey('2001:db8:0:8::1')).not.toBe(network);
  expect(network).toMatch(/^visitor [\w-]{43}$/);
});
