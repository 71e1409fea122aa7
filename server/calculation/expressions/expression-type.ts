/** Infers what an expression returns, without calculating it. */
import { COLUMN_KINDS, type ColumnKind } from '#shared/codecs/condition-columns.ts';
import type { CellUsage } from '#shared/contract/parameters.ts';
import type { ExpressionRead, ExpressionType, TypedColumn } from '#shared/rules/workflows/expression-types.ts';
import { Scope } from '../graph/scope.ts';
import { ResultTypes } from '../kinds/result-types.ts';
import type { CallNode, Node } from '../syntax/ast.ts';
import { expressionBook, OWN_SHEET, referenceTo } from './expression-book.ts';
import { placeholderIndex, withValues } from './parse-expression.ts';

const AT = { sheet: OWN_SHEET, row: 0, col: 0 };

const kindOf = (usage: CellUsage | undefined): ColumnKind => COLUMN_KINDS.find((kind) => kind === usage) ?? 'Text';

/** @param reads one per name of the expression */
export function expressionType(tree: Node, reads: readonly ExpressionRead[]): ExpressionType {
  const index = placeholderIndex(tree);
  const only = index === null ? undefined : reads[index];
  return {
    kind: kindOfResult(tree, reads),
    columns: columnsOf(tree, reads, new Map()),
    whole: only && only.column === null ? only.shape : null,
  };
}

/** One cell per column stands for all rows. */
function kindOfResult(tree: Node, reads: readonly ExpressionRead[]): ColumnKind | null {
  const model = expressionBook(
    reads.map(({ shape: { CellUsages } }) => ({ values: [CellUsages.map(() => 0)], width: CellUsages.length })),
  );
  const ofCell = (sheet: number, _row: number, col: number): ColumnKind | null => {
    const shape = reads[sheet - 1]?.shape;
    // The rows of such a range have their own types.
    return shape && shape.RangeType !== 'RangeWithRowHeaders' ? kindOf(shape.CellUsages[col]) : null;
  };
  const types = new ResultTypes(model, new Scope(model), { ofCell, ofFormat: () => null }, () => null);
  const placed = withValues(tree, (index) => {
    const { shape, column } = reads[index]!;
    const [left, right] = column === null ? [0, Math.max(0, shape.CellUsages.length - 1)] : [column, column];
    return referenceTo(index, { top: 0, bottom: 0, left, right });
  });
  return types.of(placed, AT);
}

type Columns = readonly TypedColumn[] | null;
type Variables = ReadonlyMap<string, Columns>;

/** Returns the columns of a table that the expression passes on, possibly with other rows; null if they are unknown. */
function columnsOf(node: Node, reads: readonly ExpressionRead[], variables: Variables): Columns {
  const index = placeholderIndex(node);
  if (index !== null) return columnsOfRead(reads[index]!);
  if (node.type === 'name') return variables.get(node.name.toLowerCase()) ?? null;
  return node.type === 'call' ? columnsOfCall(node, (one, own = variables) => one && columnsOf(one, reads, own)) : null;
}

function columnsOfRead({ shape, column }: ExpressionRead): Columns {
  const { RangeType, CellUsages, ColumnHeaderValues } = shape;
  if (RangeType !== 'RangeWithColumnHeaders') return null;
  const columns = ColumnHeaderValues.map((Name, at) => ({ Name, Usage: CellUsages[at] ?? 'Text' }));
  return column === null ? columns : columns.slice(column, column + 1);
}

type ColumnsOf = (node: Node | undefined, variables?: Variables) => Columns | undefined;

/** Functions that return rows of their first argument, with the number of arguments up to which they do. */
const ROWS_OF_FIRST: ReadonlyMap<string, number> = new Map([
  ['FILTER', 3],
  ['SORT', 3],
  ['SORTBY', 255],
  ['UNIQUE', 1],
  ['TAKE', 2],
  ['DROP', 2],
  ['CHOOSEROWS', 255],
  ['VSTACK', 255],
  ['IFERROR', 2],
  ['IFNA', 2],
]);

function columnsOfCall({ name, args }: CallNode, of: ColumnsOf): Columns {
  const most = ROWS_OF_FIRST.get(name);
  if (most !== undefined) return args.length <= most ? (of(args[0]) ?? null) : null;
  if (name === 'IF') return of(args[1]) ?? of(args[2]) ?? null;
  if (name === 'HSTACK') return sideBySide(args.map((arg) => of(arg)));
  if (name === 'CHOOSECOLS') return chosenColumns(of(args[0]) ?? null, args.slice(1));
  return name === 'LET' ? columnsOfLet(args, of) : null;
}

function columnsOfLet(args: readonly Node[], of: ColumnsOf): Columns {
  const variables = new Map<string, Columns>();
  for (let index = 0; index + 1 < args.length; index += 2) {
    const variable = args[index]!;
    if (variable.type === 'name') variables.set(variable.name.toLowerCase(), of(args[index + 1], variables) ?? null);
  }
  return of(args.at(-1), variables) ?? null;
}

function sideBySide(parts: readonly (Columns | undefined)[]): Columns {
  const known = parts.filter((part) => part !== null && part !== undefined);
  return known.length === parts.length ? known.flat() : null;
}

function chosenColumns(columns: Columns, numbers: readonly Node[]): Columns {
  if (!columns) return null;
  const chosen = numbers.map((node) => {
    const sign = node.type === 'unary' && node.operator === '-' ? -1 : 1;
    const digits = node.type === 'unary' ? node.operand : node;
    const at = digits.type === 'number' ? sign * digits.value : Number.NaN;
    return columns.at(at > 0 ? at - 1 : at);
  });
  const known = chosen.filter((column) => column !== undefined);
  return known.length === chosen.length ? known : null;
}
