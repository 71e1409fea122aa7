import { EventEmitter } from 'node:events';
import type { Knex } from 'knex';
import type { Request } from 'tedious';
import { describe, expect, it } from 'vitest';
import { readMssql, TransactionLeft } from './read-mssql.ts';
import type { ResultValue } from './types.ts';

const never = new AbortController().signal;
const cell = (colName: string, type: string, value: unknown) => ({
  value,
  metadata: { colName, type: { name: type } },
});

interface Sent {
  sqlTextOrProcedure: string;
  parameters: { name: string; type: { name: string }; value: unknown }[];
}

/** A fake driver connection without a server: it returns rows like the driver, and sends no rows while it is paused. */
class FakeConnection extends EventEmitter {
  done: string[] = [];
  sent: Sent[] = [];
  request: Request | null = null;
  rows: object[][];
  closed = false;
  inTransaction = false;
  /** What the query does to its transaction, as the driver reports it. */
  onQuery: () => void = () => undefined;
  refusesRollback = false;
  databaseCollation: { codepage?: string } = { codepage: 'CP1252' };
  private descriptor = Buffer.alloc(8);
  private at = 0;
  private isPaused = false;

  constructor(rows: object[][]) {
    super();
    this.rows = rows;
  }
  beginTransaction(ended: (error: null) => void): void {
    this.done.push('begin');
    this.inTransaction = true;
    this.anotherTransaction();
    ended(null);
  }
  rollbackTransaction(ended: (error: Error | null) => void): void {
    this.done.push('rollback');
    ended(this.refusesRollback ? new Error('no corresponding BEGIN TRANSACTION') : null);
  }
  /** Simulates an error for which the server rolls the transaction back. */
  refuseAndTakeBack(error: Error = new Error('Invalid object name')): void {
    this.emit('rollbackTransaction');
    this.anotherTransaction();
    this.inTransaction = false;
    this.refusesRollback = true;
    this.finish(error);
  }
  anotherTransaction(): void {
    this.descriptor = Buffer.alloc(8);
  }
  currentTransactionDescriptor(): Buffer {
    return this.descriptor;
  }
  cancel(): boolean {
    this.done.push('cancel');
    this.finish(new Error('Canceled.'));
    return true;
  }
  execSql(request: Request): void {
    this.request = request;
    this.onQuery();
    this.sent.push(request as unknown as Sent);
    request.pause = () => void (this.isPaused = true);
    request.resume = () => {
      this.isPaused = false;
      setImmediate(() => this.push());
    };
    const first = this.rows[0] as { metadata: unknown }[];
    setImmediate(() => {
      request.emit('columnMetadata', first.map(({ metadata }) => metadata) as never);
      this.push();
    });
  }
  private push(): void {
    while (!this.isPaused && this.request && this.at < this.rows.length) {
      this.request.emit('row', this.rows[(this.at += 1) - 1] as never);
    }
    if (this.at === this.rows.length && !this.isPaused) this.finish();
  }
  private finish(error?: Error): void {
    const { request } = this;
    this.request = null;
    (request as unknown as { userCallback(error?: Error): void } | null)?.userCallback(error);
  }
}

function knexOf(connection: FakeConnection): Knex {
  const client = {
    acquireConnection: async () => connection,
    releaseConnection: async () => void connection.done.push('release'),
  };
  return { client } as unknown as Knex;
}

describe('readMssql', () => {
  it('answers values as cells hold them, in a transaction that is taken back', async () => {
    const connection = new FakeConnection([
      [
        cell('Name', 'NVarChar', 'x'),
        cell('Big', 'BigInt', '42'),
        cell('Day', 'Date', new Date('2026-01-05T00:00:00Z')),
        cell('At', 'DateTimeOffset', new Date('2026-01-05T11:00:00Z')),
        cell('Hour', 'Time', new Date('1970-01-01T06:00:00Z')),
        cell('Raw', 'VarBinary', Buffer.from('0aff', 'hex')),
        cell('', 'Bit', true),
        cell('None', 'IntN', null),
      ],
    ]);
    const query = { sql: 'select …', values: ['é', 1, 1.5, 2 ** 40, true, new Date(0), null] };
    const batches = [];
    for await (const batch of readMssql(knexOf(connection), query, never, {
      timeZone: 'Europe/Berlin',
      batchRows: 10,
    })) {
      batches.push(batch);
    }
    expect(batches).toHaveLength(1);
    expect(batches[0]!.rows).toEqual([['x', 42, 46027, 46027.5, 0.25, '0x0AFF', true, null]]);
    expect(batches[0]!.columns.map(({ kind }) => kind).join()).toBe('Text,Number,Date,Date,Date,Text,Boolean,Number');
    expect(connection.sent[0]!.parameters.map(({ name, type }) => `${name} ${type.name}`)).toEqual([
      'p0 NVarChar',
      'p1 Int',
      'p2 Float',
      'p3 Float',
      'p4 Bit',
      'p5 DateTime2',
      'p6 NVarChar',
    ]);
    expect(connection.done).toEqual(['begin', 'rollback', 'release']);
  });

  // Source: https://learn.microsoft.com/sql/t-sql/data-types/data-type-precedence-transact-sql
  it('sends texts so that an index of a column of varchar serves, where nothing is lost by it', async () => {
    const typesOn = async (databaseCollation: FakeConnection['databaseCollation']) => {
      const connection = new FakeConnection([[cell('n', 'Int', 1)]]);
      connection.databaseCollation = databaseCollation;
      const query = { sql: 'q', values: ['', 'CH-01 ~', 'Zürich', 'a\tb', null] };
      const settings = { timeZone: 'UTC', batchRows: 10 };
      for await (const _ of readMssql(knexOf(connection), query, never, settings));
      return connection.sent[0]!.parameters.map(({ type }) => type.name).join();
    };
    expect(await typesOn({ codepage: 'CP1252' })).toBe('VarChar,VarChar,NVarChar,NVarChar,NVarChar');
    // Latin1_General has a code page, Indic_General_100 has none.
    expect(await typesOn({})).toBe('NVarChar,NVarChar,NVarChar,NVarChar,NVarChar');
  });

  it('holds the driver up while a batch waits', async () => {
    const connection = new FakeConnection(Array.from({ length: 25 }, (_, n) => [cell('n', 'Int', n)]));
    const sizes: number[] = [];
    const rows: ResultValue[] = [];
    const settings = { timeZone: 'UTC', batchRows: 10 };
    for await (const batch of readMssql(knexOf(connection), { sql: 'q', values: [] }, never, settings)) {
      sizes.push(batch.rows.length);
      rows.push(...batch.rows.flat());
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(sizes).toEqual([10, 10, 5]);
    expect(rows).toEqual(Array.from({ length: 25 }, (_, n) => n));
  });

  it('cancels in the server when it is aborted, or left early', async () => {
    const rows = Array.from({ length: 25 }, (_, n) => [cell('n', 'Int', n)]);
    const aborted = new FakeConnection(rows);
    const stopping = new AbortController();
    const read = async (
      connection: FakeConnection,
      onBatch: () => 'stop' | 'go',
      signal: AbortSignal,
    ): Promise<void> => {
      const settings = { timeZone: 'UTC', batchRows: 10 };
      for await (const _ of readMssql(knexOf(connection), { sql: 'q', values: [] }, signal, settings)) {
        if (onBatch() === 'stop') break;
      }
    };
    const abort = (): 'go' => {
      stopping.abort();
      return 'go';
    };
    await expect(read(aborted, abort, stopping.signal)).rejects.toThrow('Canceled.');
    expect(aborted.done).toEqual(['begin', 'cancel', 'rollback', 'release']);
    const left = new FakeConnection(rows);
    await read(left, () => 'stop', never);
    expect(left.done).toEqual(['begin', 'cancel', 'rollback', 'release']);
  });

  it('does not begin a query that was given up while its connection or its transaction came', async () => {
    for (const during of ['connection', 'transaction'] as const) {
      const connection = new FakeConnection([[cell('n', 'Int', 1)]]);
      const stopping = new AbortController();
      const begin = connection.beginTransaction.bind(connection);
      connection.beginTransaction = (ended) => {
        if (during === 'transaction') stopping.abort();
        begin(ended);
      };
      const settings = { timeZone: 'UTC', batchRows: 10 };
      const batches = readMssql(knexOf(connection), { sql: 'q', values: [] }, stopping.signal, settings);
      const first = batches.next();
      if (during === 'connection') stopping.abort();
      await expect(first).rejects.toThrow('aborted');
      expect([during, connection.done, connection.sent]).toEqual([during, ['begin', 'rollback', 'release'], []]);
    }
  });

  async function readAll(connection: FakeConnection): Promise<unknown> {
    const settings = { timeZone: 'UTC', batchRows: 10 };
    try {
      for await (const _ of readMssql(knexOf(connection), { sql: 'q', values: [] }, never, settings));
      return null;
    } catch (error) {
      return error;
    }
  }

  it('says so where the query left its transaction, also for another one, and does not use the connection again', async () => {
    const left = new FakeConnection([[cell('n', 'Int', 1)]]);
    left.onQuery = () => left.anotherTransaction();
    expect(await readAll(left)).toBeInstanceOf(TransactionLeft);
    expect((left as { __knex__disposed?: unknown }).__knex__disposed).toBeTruthy();
    expect(left.done).toEqual(['begin', 'rollback', 'release']);

    const refusing = new FakeConnection([[cell('n', 'Int', 1)]]);
    refusing.refusesRollback = true;
    expect(await readAll(refusing)).toBeInstanceOf(TransactionLeft);
    const gone = new FakeConnection([[cell('n', 'Int', 1)]]);
    gone.refusesRollback = true;
    gone.closed = true;
    expect(await readAll(gone)).toBeNull();
  });

  it('reports a rollback by the query itself, also when several errors say nothing else', async () => {
    const mismatch = () => Object.assign(new Error('Transaction count after EXECUTE indicates …'), { number: 266 });
    const connection = new FakeConnection([[cell('n', 'Int', 1)]]);
    connection.onQuery = () => connection.refuseAndTakeBack(new AggregateError([mismatch(), mismatch()]));
    expect(await readAll(connection)).toBeInstanceOf(TransactionLeft);
    const other = new FakeConnection([[cell('n', 'Int', 1)]]);
    other.onQuery = () => other.refuseAndTakeBack(new AggregateError([mismatch(), new Error('Invalid object name')]));
    expect(await readAll(other)).toBeInstanceOf(AggregateError);
  });

  it('keeps a connection on which the server itself took the transaction of a refused query back', async () => {
    const connection = new FakeConnection([[cell('n', 'Int', 1)]]);
    connection.onQuery = () => connection.refuseAndTakeBack();
    expect(String(await readAll(connection))).toContain('Invalid object name');
    expect(connection.done).toEqual(['begin', 'release']);
    expect((connection as { __knex__disposed?: unknown }).__knex__disposed).toBeUndefined();
  });

  it('refuses more values than a query takes, before anything is sent', async () => {
    const connection = new FakeConnection([[cell('n', 'Int', 1)]]);
    const settings = { timeZone: 'UTC', batchRows: 10 };
    const read = async (count: number): Promise<void> => {
      const query = { sql: 'q', values: Array.from({ length: count }, () => 1) };
      for await (const _ of readMssql(knexOf(connection), query, never, settings));
    };
    await expect(read(2_099)).rejects.toThrow('it has 2,099 values, and a query of SQL Server takes 2,098');
    expect(connection.done).toEqual([]);
    await read(2_098);
  });

  it('refuses a second result, whose rows would pass for rows of the first', async () => {
    const connection = new FakeConnection([[cell('n', 'Int', 1)]]);
    connection.onQuery = () => void setImmediate(() => connection.request?.emit('columnMetadata', [] as never));
    expect(String(await readAll(connection))).toContain('more than one result');
  });
});
