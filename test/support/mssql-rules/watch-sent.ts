/**
 * Checks every statement that this process sends over SQL Server's protocol against Microsoft's documentation, because
 * compatible servers accept some statements that SQL Server rejects. A statement with a problem is not sent and fails
 * with a description.
 */
import { Connection } from 'tedious';
import type { Request } from 'tedious';
import { violationsOf } from './statement-rules.ts';

interface SentRequest {
  sqlTextOrProcedure: string;
  parameters: { type: { name: string }; value: unknown }[];
  callback(error: Error): void;
}

let isWatched = false;

export function watchSent(): void {
  if (isWatched) return;
  isWatched = true;
  for (const name of ['execSql', 'execSqlBatch'] as const) {
    const send = Connection.prototype[name];
    Connection.prototype[name] = function (this: Connection, request: Request): void {
      const sent = request as unknown as SentRequest;
      const parameters = sent.parameters.map(({ type, value }) => ({ type: type.name, value }));
      const [violation] = violationsOf(sent.sqlTextOrProcedure, parameters);
      if (violation === undefined) return send.call(this, request);
      const error = new Error(`SQL Server would refuse a statement. ${violation}: ${sent.sqlTextOrProcedure}`);
      process.stderr.write(`${error.message}\n`);
      setImmediate(() => sent.callback.call(request, error));
    };
  }
}
