import type { Secrets } from './ports.ts';

/** The same keychain, asked at once for what will be wanted soon: who wants it then waits for less. Each is given once, as it was. */
export function askedEarly(secrets: Secrets, names: readonly string[]): Secrets {
  const asked = new Map<string, Promise<string | null>>();
  for (const name of names) {
    const answer = secrets.get(name);
    // Told to whoever asks for it.
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
