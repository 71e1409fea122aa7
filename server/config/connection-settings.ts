/** Settings of the named connections to databases that workbooks read and write. */
import { Type } from 'typebox';
import type { Static } from 'typebox';
import { Value } from 'typebox/value';
import { mssqlUrlProblem } from '#server/db/mssql-url.ts';

export const ConnectionSettings = Type.Object(
  {
    /** postgres://user:password@host:5432/name or mssql://user:password@host:1433/name. */
    url: Type.String({ minLength: 1, maxLength: 2000 }),
    /** A file with the password, so that the URL does not need to contain it. */
    passwordFile: Type.Optional(Type.String({ minLength: 1 })),
    description: Type.Optional(Type.String({ maxLength: 200 })),
    poolSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 50 })),
    /** Maximum number of rows that a query may return. */
    maxRows: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000_000 })),
    timeLimitSeconds: Type.Optional(Type.Integer({ minimum: 1, maximum: 86_400 })),
    /** True if steps may write through the connection. */
    allowWrites: Type.Optional(Type.Boolean()),
    /** Schemas whose stored procedures and functions activities may call, whatever these do; none if absent. */
    procedureSchemas: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 128 }), { maxItems: 100 })),
  },
  { additionalProperties: false },
);
export type ConnectionSettings = Static<typeof ConnectionSettings>;

/** By name. Names must differ in more than case. */
export const NamedConnections = Type.Record(Type.String(), ConnectionSettings);
export type NamedConnections = Static<typeof NamedConnections>;

const NAME = /^[\p{L}][\p{L}\p{N} _.-]{0,59}$/u;
const URL_START = /^(postgres|postgresql|mssql):\/\//;

/** Returns the problems with the connections without any part of their URLs, which contain passwords. */
export function connectionProblems(given: unknown): string[] {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    return ['the connections must be one JSON object of connections by name'];
  }
  const names = Object.keys(given);
  const problems = names.flatMap((name) => problemsOf(name, (given as Record<string, unknown>)[name]));
  const lower = names.map((name) => name.toLowerCase());
  const twice = names.find((name, index) => lower.indexOf(name.toLowerCase()) !== index);
  return twice === undefined ? problems : [...problems, `there are two connections named ${twice}`];
}

function problemsOf(name: string, settings: unknown): string[] {
  if (!NAME.test(name))
    return [
      `the connection name ${JSON.stringify(name)} is not a letter followed by letters, digits, spaces, . _ or -`,
    ];
  const problems = Value.Errors(ConnectionSettings, settings).map(({ instancePath, message }) => {
    const field = instancePath.slice(1);
    return `the connection ${name}: ${field === '' ? '' : `${field} `}${message}`;
  });
  if (problems.length > 0) return problems;
  const { url } = settings as ConnectionSettings;
  if (!URL_START.test(url) || !URL.canParse(url))
    return [`the connection ${name}: url must begin with postgres:// or mssql:// and be a URL`];
  const problem = url.startsWith('mssql://') ? mssqlUrlProblem(url) : null;
  return problem === null ? [] : [`the connection ${name}: ${problem}`];
}
