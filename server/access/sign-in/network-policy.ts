/**
 * The network policy: people outside the trusted networks need a right to sign in, and only have the rights that the
 * internet also has.
 */
import { BlockList, isIP } from 'node:net';
import { AppError } from '#server/base/app-error.ts';
import type { RightsService } from '#server/access/rights/rights-service.ts';
import type { Holder, Person } from '#server/base/person.ts';

export interface NetworkPolicy {
  /** Returns whether the person may sign in from an address. */
  mayEnter(person: Holder, address: string): Promise<boolean>;
  /**
   * Returns the person with the rights that apply at that address. Throws an AppError 401 if they may not sign in from
   * there.
   */
  admit(person: Person, address: string): Promise<Person>;
}

/** @param trusted addresses and ranges; if empty, every address is trusted */
export function createNetworkPolicy(rights: Pick<RightsService, 'has'>, trusted: readonly string[]): NetworkPolicy {
  const isTrusted = trustOf(trusted);

  async function mayEnter(person: Holder, address: string): Promise<boolean> {
    return isTrusted(address) || rights.has(person, 'sk.InternetAccess');
  }

  return {
    mayEnter,
    admit: async (person, address) => {
      if (isTrusted(address)) return person;
      if (await mayEnter(person, address)) return { ...person, fromInternet: true };
      const logged = { right: 'sk.InternetAccess', address, user: person.UserName };
      throw new AppError('notSignedIn', 401, 'You do not have permissions for this operation', { logged });
    },
  };
}

function trustOf(networks: readonly string[]): (address: string) => boolean {
  if (networks.length === 0) return () => true;
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    const family = familyOf(address);
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return (address) => {
    // A server that listens on IPv6 sees IPv4 addresses in this form.
    const plain = address.replace(/^::ffff:(?=\d+\.)/i, '');
    return isIP(plain) !== 0 && list.check(plain, familyOf(plain));
  };
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}
