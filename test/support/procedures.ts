import { createConnections } from '#server/connections/connections.ts';
import type {
  ProcedureCell,
  ProcedureColumn,
  ProcedureDescription,
  ProcedureValue,
} from '#server/base/procedure-types.ts';
import type { CallMode, CallOptions, CallOutcome, ProcedureMessage } from '#server/connections/procedures/types.ts';
import type { NamedConnection } from '#server/connections/types.ts';
import type { ConnectionSettings } from '#server/config/connection-settings.ts';
import type { TestDatabase } from './database.ts';
import { testDatabase } from './database.ts';

export interface CalledResult {
  columns: readonly ProcedureColumn[];
  rows: (readonly ProcedureCell[])[];
}

export interface Called extends CallOutcome {
  sets: CalledResult[];
  messages: ProcedureMessage[];
}

export interface CallSettings extends Partial<CallOptions> {
  mode?: CallMode;
}

/** A database with procedures behind a connection, on the server that the tests use. */
export interface ProcedureBench {
  database: TestDatabase;
  connection: NamedConnection;
  isPg: boolean;
  /** The schema for tables and procedures. */
  schema: string;
  run(...statements: string[]): Promise<void>;
  /** `name` has no schema; on PostgreSQL it can include the parameter types. */
  describe(name: string): Promise<ProcedureDescription>;
  call(name: string, given?: Record<string, ProcedureValue>, settings?: CallSettings): Promise<Called>;
  end(): Promise<void>;
}

export async function procedureBench(
  settings: Partial<ConnectionSettings> = {},
  timeZone = 'Europe/Zurich',
): Promise<ProcedureBench> {
  const database = await testDatabase({ migrated: false });
  const isPg = database.dialect.name === 'pg';
  const schema = isPg ? 'public' : 'dbo';
  const own = { url: database.url, procedureSchemas: [schema], ...settings };
  const connections = createConnections({ Shop: own }, { timeZone });
  const connection = connections.get('Shop');
  const { signal } = new AbortController();

  async function describe(name: string): Promise<ProcedureDescription> {
    const described = await connection.procedures.describe(await fullName(name), signal);
    if (!described) throw new Error(`${name} is not described`);
    return described;
  }

  async function fullName(name: string): Promise<string> {
    const full = `${schema}.${name}`;
    if (!isPg || name.endsWith(')')) return full;
    const names = await connection.procedures.list(signal);
    const found = names.filter((one) => one.name.startsWith(`${full}(`));
    if (found.length !== 1) throw new Error(`${found.length} procedures are named ${full}`);
    return found[0]!.name;
  }

  /** Cached, because catalogs can be slow. */
  const described = new Map<string, Promise<ProcedureDescription>>();
  function describeOnce(name: string): Promise<ProcedureDescription> {
    const found = described.get(name) ?? describe(name);
    described.set(name, found);
    return found;
  }

  return {
    database,
    connection,
    isPg,
    schema,
    run: async (...statements) => {
      for (const statement of statements) await database.knex.raw(statement.replaceAll('?', '\\?'));
    },
    describe,
    call: async (name, given = {}, { mode = 'transaction', ...options } = {}) => {
      const procedure = await describeOnce(name);
      const sets: CalledResult[] = [];
      const messages: ProcedureMessage[] = [];
      const outcome = await connection.procedures.call(
        { procedure, arguments: new Map(Object.entries(given)), mode },
        {
          signal,
          onMessage: (message) => void messages.push(message),
          onRows: ({ result, columns, rows }) => {
            const set = (sets[result - 1] ??= { columns, rows: [] });
            for (const row of rows) set.rows.push(row);
          },
          ...options,
        },
      );
      return { ...outcome, sets, messages };
    },
    end: async () => {
      await connections.close();
      await database.drop();
    },
  };
}
