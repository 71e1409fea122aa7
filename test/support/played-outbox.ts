/**
 * An outbox in plain Node.js for tests. Its disk, keychain, network and clock are simulated, and it can crash at any
 * step.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createConnectionWatch } from '#bridge/connection.ts';
import type { OutboxEntry } from '#bridge/outbox.ts';
import { createAccountOutbox } from '#main/account-outbox.ts';
import { createBlobs } from '#main/node-blobs.ts';
import { createOutboxStore, type OutboxBounds } from '#main/outbox-store.ts';
import type { Blobs, Clock, Net, Secrets } from '#main/ports.ts';

export interface PlayedMachine {
  folder: string;
  /** Contents of the keychain. */
  items: Map<string, string>;
  isLocked: boolean;
  isAway: boolean;
  /** Response of a proxy that answers in place of the server; null if there is none. */
  proxy: (() => Response) | null;
  isFull: boolean;
  now: number;
  token: string | null;
  userName: string;
  bounds?: OutboxBounds;
  /** Id of the activity's file input. */
  fileInput: number;
  /** The write or call at which the program crashes: before or after it is done. */
  diesAt: { step: number; isAfter: boolean } | null;
  /** Number of writes and calls so far. */
  steps: number;
}

type Step = <T>(work: () => Promise<T>, half?: () => Promise<unknown>) => Promise<T>;

function createLife(machine: PlayedMachine): { step: Step; death: Promise<void> } {
  let die = (): void => undefined;
  const death = new Promise<void>((resolve) => (die = resolve));
  let isDead = false;
  /** A crashed program does nothing more, and its calls never settle. */
  const step: Step = async (work, half = async () => undefined) => {
    const never = new Promise<never>(() => undefined);
    if (isDead) return never;
    machine.steps += 1;
    const isLast = machine.diesAt !== null && machine.steps === Math.floor(machine.diesAt.step);
    if (isLast && !machine.diesAt!.isAfter) {
      isDead = true;
      await half();
      die();
      return never;
    }
    const result = await work();
    if (isLast) {
      isDead = true;
      die();
      return never;
    }
    return result;
  };
  return { step, death };
}

export function createNodeOutbox(
  machine: PlayedMachine,
  address: string,
  onNotification: (entry: OutboxEntry) => void,
  onUnreadable: (count: number) => void = () => undefined,
) {
  const { step, death } = createLife(machine);
  const blobs = createBlobs(machine.folder);
  const disk: Blobs = {
    ...blobs,
    write: (name, content) => {
      if (machine.isFull) return Promise.reject(new Error('no space left on device'));
      const half = (): Promise<void> => writeFile(join(machine.folder, `${name}.0.part`), content.subarray(0, 9));
      return step(
        () => blobs.write(name, content),
        () => half().catch(() => undefined),
      );
    },
    remove: (name) => step(() => blobs.remove(name)),
  };
  const net: Net = {
    fetch: async (url, { body, ...init }) => {
      if (machine.isAway) throw new TypeError('net::ERR_CONNECTION_REFUSED');
      const { proxy } = machine;
      if (proxy) return step(async () => proxy());
      return step(() => fetch(url, { ...init, body: body as BodyInit, redirect: 'manual' }));
    },
  };
  const secrets = keychainOf(machine);
  const after = (): (() => void) => () => undefined;
  const clock: Clock = { now: () => machine.now, after };
  const connection = createConnectionWatch({
    probe: async () => (machine.isAway ? 'unreachable' : 'online'),
    after,
    initial: machine.isAway ? 'unreachable' : 'online',
  });
  const store = createOutboxStore({ blobs: disk, secrets, keyName: 'outbox', clock, bounds: machine.bounds });
  const { outbox, bodyOf } = createAccountOutbox({
    store,
    net,
    address,
    clock,
    log: () => undefined,
    connection,
    token: () => machine.token,
    userName: () => machine.userName,
    canQueue: () => !machine.isLocked,
    onChange: () => undefined,
    onNotification,
    onUnreadable,
  });
  /** Returns the input for a start. */
  const spool = async (name: string, content: string): Promise<object> => {
    const FileId = await store.spool({ name, content: Buffer.from(content) });
    return { ActivityParameterId: machine.fileInput, FileId, FileName: name, ArrayIndex: 0 };
  };
  return { outbox, bodyOf, store, connection, death, spool };
}

function keychainOf(machine: PlayedMachine): Secrets {
  const { items } = machine;
  const unlocked = async <T>(work: () => T): Promise<T> => {
    if (machine.isLocked) throw new Error('The keychain of the system is locked');
    return work();
  };
  return {
    get: (name) => unlocked(() => items.get(name) ?? null),
    set: (name, secret) => unlocked(() => void items.set(name, secret)),
    remove: (name) => unlocked(() => void items.delete(name)),
  };
}
