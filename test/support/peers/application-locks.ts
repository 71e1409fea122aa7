/**
 * Preloaded into programs that use Babelfish 4.4 as SQL Server. Each refusal of an application lock leaves an error in
 * the memory of its connection there, and the fifth brings down the whole server ("ERRORDATA_STACK_SIZE exceeded"). An
 * error that T-SQL catches clears them.
 */
import { createRequire } from 'node:module';

interface SqlRequest {
  sqlTextOrProcedure?: string;
}

const ANSWER = 'select @result as [Result]';
const CLEAR = "if @result < 0 begin begin try; throw 50000, 'cleared', 1; end try begin catch end catch end; ";

const { Connection } = createRequire(import.meta.url)('tedious') as {
  Connection: { prototype: { execSql(request: SqlRequest): void } };
};
// oxlint-disable-next-line typescript/unbound-method -- called with the connection below
const { execSql } = Connection.prototype;
Connection.prototype.execSql = function (this: unknown, request) {
  const text = request.sqlTextOrProcedure;
  if (text?.includes('sp_getapplock')) request.sqlTextOrProcedure = text.replace(ANSWER, CLEAR + ANSWER);
  execSql.call(this, request);
};
