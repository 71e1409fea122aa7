/**
 * IronCalc accepts OFFSET, but not INDEX, as a side of ':'. A1:INDEX(B:B,n) equals A1:OFFSET(B1,n-1,0) as long as n
 * lies within the range. Beyond it, INDEX returns #REF!, and so does the replacement.
 */
import type { CellPosition } from '#shared/codecs/cell-address.ts';
import { blockReference, referenceBlock } from '#server/calculation/syntax/areas.ts';
import type { BinaryOperator, Node } from '#server/calculation/syntax/ast.ts';

/** Returns the side of a ':' with INDEX of a plain range replaced by OFFSET. Returns any other side unchanged. */
export function indexAsOffset(side: Node, at: CellPosition): Node {
  if (side.type !== 'call' || side.name !== 'INDEX') return side;
  const [range, first, second] = side.args;
  if (range?.type !== 'reference' || !first || side.args.length > 3) return side;
  const block = referenceBlock(range, at);
  const rows = block.bottom - block.top + 1;
  const cols = block.right - block.left + 1;
  const isRow = second === undefined && rows === 1;
  const row = isRow ? number(1) : first;
  const col = isRow ? first : (second ?? number(1));
  const corner = blockReference({ ...block, bottom: block.top, right: block.left }, range.prefix);
  return call('OFFSET', [corner, distance(row, rows), distance(col, cols)]);
}

function distance(position: Node, count: number): Node {
  if (position.type === 'number' && position.value === 1) return number(0);
  const within = call('AND', [binary('>=', position, number(1)), binary('<', position, number(count + 1))]);
  const steps = binary('-', call('INT', [position]), number(1));
  return call('IF', [within, steps, { type: 'error', code: '#REF!' }]);
}

function number(value: number): Node {
  return { type: 'number', value };
}

function call(name: string, args: Node[]): Node {
  return { type: 'call', name, filePrefix: '', args };
}

function binary(operator: BinaryOperator, left: Node, right: Node): Node {
  return { type: 'binary', operator, left, right };
}
