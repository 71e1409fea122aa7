/**
 * Requirements for statements from Microsoft's documentation, as far as they concern our statements. Compatible servers
 * of other vendors may accept what SQL Server rejects; a suite that passes on such a server is therefore not
 * sufficient.
 */
import { hintViolation } from './hint-rules.ts';
import { limitViolation } from './limit-rules.ts';
import { ORDER_RULES } from './order-rules.ts';
import { DOCS, someLevel, type Rule } from './rule.ts';
import {
  byCommas,
  contains,
  indexOfWords,
  isGroup,
  isSymbol,
  isWord,
  statementsOf,
  textOf,
  until,
  type Node,
  type Parameter,
  type Statement,
} from './statement-tree.ts';

const AGGREGATES = ['sum', 'min', 'max', 'avg', 'count', 'count_big', 'string_agg', 'stdev', 'var'];
const isAggregate = (node: Node, index: number, of: readonly Node[]): boolean =>
  isWord(node, ...AGGREGATES) && isGroup(of[index + 1]);

/** Available from 2022 on, while the program supports 2019. */
const NEWER = [
  'greatest',
  'least',
  'generate_series',
  'datetrunc',
  'date_bucket',
  'json_object',
  'json_array',
  'bit_count',
];
const OF_OTHERS = [
  'limit',
  'returning',
  'ilike',
  'lateral',
  'true',
  'false',
  'similar',
  'now',
  'boolean',
  'bytea',
  'jsonb',
];

const pairOf = (node: Node, index: number, of: readonly Node[], symbol: string): boolean =>
  isSymbol(node, symbol) && isSymbol(of[index + 1], symbol);

/**
 * Two colons between a class and a name, as in GRANT … ON SCHEMA::dbo, are not a cast. Source: GRANT (Transact-SQL),
 * class.
 */
const CLASSES = ['schema', 'object', 'type', 'database', 'login', 'user', 'role'];
const isCast = (node: Node, index: number, of: readonly Node[]): boolean =>
  pairOf(node, index, of, ':') && !isWord(of[index - 1], ...CLASSES);

function outputViolation({ nodes }: Statement): string | undefined {
  const verb = nodes.find((node) => isWord(node, 'insert', 'update', 'delete', 'merge'));
  const at = nodes.findIndex((node) => isWord(node, 'output'));
  if (!verb || isGroup(verb) || at < 0) return undefined;
  const list = until(nodes, at + 1, 'values', 'select', 'where', 'from', 'into', 'default');
  if (list.length === 0) return undefined;
  const wrong = { insert: 'deleted', delete: 'inserted' }[verb.text.toLowerCase()];
  if (wrong !== undefined && contains(list, (node) => isWord(node, wrong))) return `${verb.text} has no ${wrong}`;
  if (contains(list, (node) => isWord(node, 'select'))) return 'OUTPUT takes no subquery';
  if (contains(list, isAggregate)) return 'OUTPUT takes no aggregate';
  const bare = byCommas(list).find((item) => item[0]?.kind === 'name' && !isSymbol(item[1], '.'));
  return bare && `${textOf(bare)} needs INSERTED or DELETED before it`;
}

function mergeViolation({ nodes, hasSemicolon }: Statement): string | undefined {
  if (!isWord(nodes[0], 'merge')) return undefined;
  if (!hasSemicolon) return 'MERGE ends with a semicolon';
  const target = nodes.slice(
    0,
    nodes.findIndex((node) => isWord(node, 'using')),
  );
  const hints = target.filter(isGroup).at(-1)?.nodes ?? [];
  if (!hints.some((node) => isWord(node, 'holdlock', 'serializable')))
    return 'two of them may both find a key missing: HOLDLOCK';
  return undefined;
}

/** Only in WHERE, not in SET or a list of values. */
function comparesStatus(nodes: readonly Node[]): boolean {
  return contains(nodes, (node, index, of) => {
    if (node.kind !== 'name' || node.text !== '[Status]') return false;
    let start = index;
    while (isSymbol(of[start - 1], '.')) start -= 2;
    if (start > 0 && !isWord(of[start - 1], 'where', 'and', 'or', 'not', 'on')) return false;
    const value = of
      .slice(index + 1, index + 5)
      .find((next) => next.kind === 'parameter' || isGroup(next) || isWord(next, 'and'));
    return isGroup(value) ? value.nodes[0]?.kind === 'parameter' : value?.kind === 'parameter';
  });
}

const knowsRow = (nodes: readonly Node[]): boolean =>
  contains(
    nodes,
    (node, index, of) =>
      node.kind === 'name' &&
      node.text === '[Id]' &&
      isSymbol(of[index + 1], '=') &&
      of[index + 2]?.kind === 'parameter',
  );

/** Checks only parameters, not literal texts in the statement. */
function hasTextWithoutCollation(nodes: readonly Node[], parameters: readonly Parameter[]): boolean {
  const isText = (node: Node): boolean => {
    if (node.kind !== 'parameter') return false;
    const sent = parameters[Number(node.text.replace('@p', ''))];
    return sent !== undefined && /char/i.test(sent.type) && typeof sent.value === 'string';
  };
  return contains(nodes, (node, index, of) => isText(node) && !isWord(of[index + 1], 'collate'));
}

export const RULES: readonly Rule[] = [
  { name: 'table hints', source: `${DOCS}t-sql/queries/hints-transact-sql-table`, findViolation: hintViolation },
  {
    name: 'limits',
    source: `${DOCS}sql-server/maximum-capacity-specifications-for-sql-server`,
    findViolation: limitViolation,
  },
  { name: 'MERGE', source: `${DOCS}t-sql/statements/merge-transact-sql`, findViolation: mergeViolation },
  { name: 'OUTPUT', source: `${DOCS}t-sql/queries/output-clause-transact-sql`, findViolation: outputViolation },
  ...ORDER_RULES,
  {
    name: 'aggregates',
    source: `${DOCS}t-sql/functions/sum-transact-sql`,
    findViolation: ({ nodes }) =>
      contains(nodes, (node, index, of) => {
        const argument = of[index + 1];
        if (!isAggregate(node, index, of) || !isGroup(argument)) return false;
        return contains(argument.nodes, (...inner) => isWord(inner[0], 'select') || isAggregate(...inner));
      })
        ? 'aggregates take no subquery and no aggregate'
        : undefined,
  },
  {
    name: 'GROUP BY',
    source: `${DOCS}relational-databases/errors-events/mssqlserver-8120-database-engine-error`,
    findViolation: (statement) =>
      someLevel(statement, (nodes) => {
        for (let at = -1; (at = indexOfWords(nodes, ['group', 'by'], at + 1)) >= 0;) {
          const grouped = until(nodes, at + 2, 'having', 'order', 'union', 'except', 'intersect');
          if (contains(grouped, (node) => node.kind === 'parameter')) return true;
        }
        return false;
      })
        ? 'each parameter is another one to GROUP BY, whatever its value'
        : undefined,
  },
  {
    name: 'values of conditions',
    source: `${DOCS}t-sql/queries/select-clause-transact-sql`,
    findViolation: (statement) =>
      someLevel(statement, (nodes) => indexOfWords(nodes, ['select', 'exists']) >= 0)
        ? 'a condition is no value'
        : undefined,
  },
  {
    name: 'lists of rows',
    source: `${DOCS}t-sql/language-elements/in-transact-sql`,
    findViolation: ({ nodes }) =>
      contains(nodes, (node, index, of) => {
        if (!isGroup(node) || byCommas(node.nodes).length < 2) return false;
        const isCall = of[index - 1]?.kind === 'word' && !isWord(of[index - 1], 'where', 'and', 'or', 'not', 'on');
        const next = isWord(of[index + 1], 'not') ? of[index + 2] : of[index + 1];
        return !isCall && isWord(next, 'in');
      })
        ? 'IN compares one expression'
        : undefined,
  },
  {
    name: 'texts of lists',
    source: `${DOCS}t-sql/statements/collation-precedence-transact-sql`,
    findViolation: (statement) =>
      someLevel(
        statement,
        (nodes) =>
          nodes !== statement.nodes &&
          isWord(nodes[0], 'values') &&
          hasTextWithoutCollation(nodes, statement.parameters),
      )
        ? 'a column of a list has the collation of the database, and not that of columns: error 468 where they meet'
        : undefined,
  },
  {
    name: 'names of what is changed',
    source: `${DOCS}t-sql/queries/update-transact-sql`,
    findViolation: ({ nodes }) => {
      const at = nodes.findIndex((node) => isWord(node, 'update', 'delete'));
      const table = isWord(nodes[at + 1], 'from') ? at + 2 : at + 1;
      return at === 0 && nodes[table]?.kind === 'name' && isWord(nodes[table + 1], 'as')
        ? 'the target takes no alias'
        : undefined;
    },
  },
  {
    name: 'DATEADD, DATEDIFF',
    source: `${DOCS}t-sql/functions/dateadd-transact-sql`,
    findViolation: ({ nodes }) =>
      contains(nodes, (node, index, of) => {
        const given = of[index + 1];
        const isDate = isWord(node, 'dateadd', 'datediff', 'datediff_big', 'datepart', 'datename');
        return isDate && isGroup(given) && given.nodes[0]?.kind !== 'word';
      })
        ? 'the part of a date is a word'
        : undefined,
  },
  {
    name: 'WITH',
    source: `${DOCS}t-sql/queries/with-common-table-expression-transact-sql`,
    findViolation: ({ nodes }) =>
      nodes.some(
        (node, index) =>
          index > 0 && isWord(node, 'with') && nodes[index + 1]?.kind === 'name' && isWord(nodes[index + 2], 'as'),
      )
        ? 'the statement before it has to end with a semicolon'
        : undefined,
  },
  {
    name: 'SQL Server 2019',
    source: `${DOCS}t-sql/functions/functions`,
    findViolation: ({ nodes }) => {
      if (contains(nodes, (node, index, of) => isWord(node, ...NEWER) && isGroup(of[index + 1])))
        return 'a newer function';
      if (contains(nodes, (node, index, of) => isWord(node, 'distinct') && isWord(of[index + 1], 'from')))
        return 'IS DISTINCT FROM is of 2022';
      return contains(nodes, (...at) => pairOf(...at, '|')) ? '|| is of 2025' : undefined;
    },
  },
  {
    name: 'SQL of other makers',
    source: `${DOCS}t-sql/language-reference`,
    findViolation: ({ nodes }) => {
      if (contains(nodes, (node) => isWord(node, ...OF_OTHERS))) return 'a word of another maker';
      if (contains(nodes, isCast)) return ':: casts nothing';
      if (contains(nodes, (node, index, of) => isWord(node, 'nulls') && isWord(of[index + 1], 'first', 'last')))
        return 'NULLS FIRST is not there';
      return indexOfWords(nodes, ['on', 'conflict']) >= 0 ? 'ON CONFLICT is not there' : undefined;
    },
  },
];

/** Rules on query plans: statements that break them work, but read more than necessary. */
export const PLAN_RULES: readonly Rule[] = [
  {
    name: 'filtered indexes',
    source: `${DOCS}relational-databases/indexes/create-filtered-indexes`,
    findViolation: ({ nodes }) =>
      contains(nodes, (node) => node.kind === 'name' && node.text === '[ActivityRuns]') &&
      comparesStatus(nodes) &&
      !knowsRow(nodes)
        ? 'a plan for all values of a parameter cannot use an index filtered by status'
        : undefined,
  },
];

/** Returns the problems of an SQL text according to the documentation. */
export function violationsOf(
  sql: string,
  parameters: readonly Parameter[] = [],
  rules: readonly Rule[] = RULES,
): string[] {
  return statementsOf(sql, parameters).flatMap((statement) =>
    rules.flatMap((rule) => {
      const violation = rule.findViolation(statement);
      return violation === undefined ? [] : [`${rule.name}: ${violation} (${rule.source})`];
    }),
  );
}
