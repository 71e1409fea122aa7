import { ConnectionError } from '../connection-error.ts';
import type { ProcedureDescription } from '#server/base/procedure-types.ts';

/**
 * Catalog data that belongs to descriptions. Its names and types become SQL, so a description from elsewhere is not
 * called.
 */
export class KnownDescriptions<T extends object> {
  private readonly known = new WeakMap<ProcedureDescription, T>();
  private readonly connection: string;

  constructor(connection: string) {
    this.connection = connection;
  }

  add(description: ProcedureDescription, beside: T): ProcedureDescription {
    this.known.set(description, beside);
    return description;
  }

  of(description: ProcedureDescription): T {
    const found = this.known.get(description);
    if (found) return found;
    const message = `The description of ${description.name} is not from the catalog of the connection '${this.connection}'`;
    throw new ConnectionError('invalid', message);
  }
}
