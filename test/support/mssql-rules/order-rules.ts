/** Rules from Microsoft's documentation on ordering, on limits by TOP or OFFSET, and on DISTINCT. */
import { DOCS, someLevel, type Rule } from './rule.ts';
import { byCommas, indexOfWords, isGroup, isSymbol, isWord, textOf, until, type Node } from './statement-tree.ts';

const ORDER_BY = ['order', 'by'];
const orderItems = (nodes: readonly Node[]): Node[][] => {
  const at = indexOfWords(nodes, ORDER_BY);
  return at < 0 ? [] : byCommas(until(nodes, at + 2, 'offset', 'for', 'option'));
};
const direction = (node: Node | undefined): boolean => isWord(node, 'asc', 'desc');

/** Returns text without spaces and sort direction, to find ORDER BY expressions in the SELECT list. */
const plainText = (nodes: readonly Node[]): string => textOf(nodes.filter((node) => !direction(node))).toLowerCase();

function selectedOf(nodes: readonly Node[]): Set<string> {
  const start = indexOfWords(nodes, ['select', 'distinct']) + 2;
  const from = isWord(nodes[start], 'top') ? start + 2 : start;
  const names = byCommas(until(nodes, from, 'from', 'into')).flatMap((item) => {
    const alias = item.findLastIndex((node) => isWord(node, 'as'));
    return alias < 0 ? [plainText(item)] : [plainText(item.slice(0, alias)), plainText(item.slice(alias + 1))];
  });
  return new Set(names);
}

/** Returns the column names of a SELECT result, as far as the text shows them. */
function answeredNames(nodes: readonly Node[]): string[] {
  if (!isWord(nodes[0], 'select')) return [];
  const afterDistinct = isWord(nodes[1], 'distinct') ? 2 : 1;
  const from = isWord(nodes[afterDistinct], 'top') ? afterDistinct + 2 : afterDistinct;
  return byCommas(until(nodes, from, 'from', 'into')).flatMap((item) => {
    const named = item.at(-1);
    const isColumn = item.every((node, index) => (index % 2 === 0 ? node.kind === 'name' : isSymbol(node, '.')));
    const isNamed = named?.kind === 'name' && (isColumn || isWord(item.at(-2), 'as'));
    return isNamed ? [named.text.toLowerCase()] : [];
  });
}

export const ORDER_RULES: readonly Rule[] = [
  {
    name: 'TOP',
    source: `${DOCS}t-sql/queries/top-transact-sql`,
    findViolation: (statement) =>
      someLevel(statement, (nodes) => nodes.some((node, index) => isWord(node, 'top') && !isGroup(nodes[index + 1])))
        ? 'the expression of TOP stands in brackets'
        : someLevel(statement, (nodes) => indexOfWords(nodes, ['top']) >= 0 && indexOfWords(nodes, ['offset']) >= 0)
          ? 'TOP and OFFSET do not go together'
          : undefined,
  },
  {
    name: 'OFFSET',
    source: `${DOCS}t-sql/queries/select-order-by-clause-transact-sql`,
    findViolation: (statement) =>
      someLevel(statement, (nodes) => indexOfWords(nodes, ['offset']) >= 0 && indexOfWords(nodes, ORDER_BY) < 0)
        ? 'OFFSET needs ORDER BY'
        : undefined,
  },
  {
    name: 'ORDER BY within',
    source: `${DOCS}t-sql/queries/select-order-by-clause-transact-sql`,
    findViolation: (statement) =>
      someLevel(statement, (nodes, before) => {
        if (nodes === statement.nodes || isWord(before, 'over', 'group') || indexOfWords(nodes, ORDER_BY) < 0)
          return false;
        return !nodes.some((node) => isWord(node, 'top', 'offset', 'xml', 'json'));
      })
        ? 'a subquery takes ORDER BY with TOP or OFFSET alone'
        : undefined,
  },
  {
    name: 'ORDER BY a value',
    source: `${DOCS}relational-databases/errors-events/database-engine-events-and-errors-1000-to-1999`,
    findViolation: (statement) =>
      someLevel(statement, (nodes) =>
        orderItems(nodes).some((item) => item[0]?.kind === 'parameter' && (item.length === 1 || direction(item[1]))),
      )
        ? 'error 1008: ORDER BY takes no variable'
        : undefined,
  },
  {
    name: 'DISTINCT',
    source: `${DOCS}t-sql/queries/select-order-by-clause-transact-sql`,
    findViolation: (statement) =>
      someLevel(statement, (nodes) => {
        if (indexOfWords(nodes, ['select', 'distinct']) < 0) return false;
        const selected = selectedOf(nodes);
        return orderItems(nodes).some((item) => !selected.has(plainText(item)));
      })
        ? 'with DISTINCT, what is ordered by has to be selected'
        : undefined,
  },
  {
    name: 'ORDER BY a name',
    source: `${DOCS}relational-databases/errors-events/database-engine-events-and-errors-0-to-999`,
    findViolation: ({ nodes }) => {
      const names = answeredNames(nodes);
      const isTwice = orderItems(nodes).some((item) => {
        const name = plainText(item);
        return names.indexOf(name) !== names.lastIndexOf(name);
      });
      return isTwice ? 'error 209: what is ordered by is ambiguous' : undefined;
    },
  },
];
