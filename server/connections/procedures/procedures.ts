import type { ConnectionTarget } from '../connections.ts';
import { ConnectionError } from '../connection-error.ts';
import type { Procedures } from './types.ts';

/** Stored procedures of the schemas behind a connection. */
export function createProcedures({ name }: ConnectionTarget, schemas: readonly string[]): Procedures {
  const refuse = (): Promise<never> => {
    const message = `Procedures of the connection '${name}' cannot be called (${schemas.length} schemas)`;
    return Promise.reject(new ConnectionError('invalid', message));
  };
  return { list: refuse, describe: refuse, call: refuse };
}
