/** Tracks pending writes to the keychain and to files, so that the program can wait for them before it ends. */
import type { Blobs, Files, Secrets } from './ports.ts';

export interface LastWrites {
  secrets(secrets: Secrets): Secrets;
  files(files: Files): Files;
  blobs(blobs: Blobs): Blobs;
  /** Returns whether no write is pending. */
  areDone(): boolean;
  /**
   * Resolves when no write is pending, including writes started in the meantime; at the latest after the given
   * milliseconds.
   */
  done(timeoutMs: number): Promise<void>;
}

export function createLastWrites(): LastWrites {
  const under = new Set<Promise<unknown>>();
  const held = <T>(work: Promise<T>): Promise<T> => {
    under.add(work);
    const forget = (): void => void under.delete(work);
    work.then(forget, forget);
    return work;
  };
  const end = async (): Promise<void> => {
    while (under.size > 0) await Promise.allSettled(under);
  };
  return {
    secrets: (secrets) => ({
      ...secrets,
      set: (name, secret) => held(secrets.set(name, secret)),
      remove: (name) => held(secrets.remove(name)),
    }),
    files: (files) => ({
      ...files,
      write: (name, text) => held(files.write(name, text)),
      remove: (name) => held(files.remove(name)),
    }),
    blobs: (blobs) => ({
      ...blobs,
      write: (name, content) => held(blobs.write(name, content)),
      remove: (name) => held(blobs.remove(name)),
      removeAll: () => held(blobs.removeAll()),
    }),
    areDone: () => under.size === 0,
    done: async (timeoutMs) => {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, timeoutMs)));
      await Promise.race([end(), late]);
      clearTimeout(timer);
    },
  };
}
