import type { Secrets } from './ports.ts';

/**
 * Wraps a keychain and immediately requests secrets that will be needed soon, to reduce waiting. Each prefetched value
 * is returned once, and discarded if the secret changes first.
 */
export function askedEarly(secrets: Secrets, names: readonly string[]): Secrets {
  const asked = new Map<string, Promise<string | null>>();
  for (const name of names) {
    const answer = secrets.get(name);
    // The consumer of the value gets the error.
    answer.catch(() => undefined);
    asked.set(name, answer);
  }
  const taken = (name: string): Promise<string | null> | undefined => {
    const answer = asked.get(name);
    asked.delete(name);
    return answer;
  };
  return {
    get: (name) => taken(name) ?? secrets.get(name),
    set: (name, secret) => {
      void taken(name);
      return secrets.set(name, secret);
    },
    remove: (name) => {
      void taken(name);
      return secrets.remove(name);
    },
  };
}
