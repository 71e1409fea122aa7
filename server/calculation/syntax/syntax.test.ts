import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rounds } from '#test/support/test-set.ts';
import type { BinaryOperator, Node } from './ast.ts';
import { ParseError } from './parse-error.ts';
import { parseFormula } from './parser.ts';
import { printFormula, printRelative } from './printer.ts';

const at = { row: 4, col: 2 };
const again = (text: string): string => printFormula(parseFormula(text, at), at);

/** Returns the tree in nested prefix notation, which shows how operators bind. */
function shape(text: string): string {
  const show = (node: Node): string => {
    switch (node.type) {
      case 'binary':
        return `(${show(node.left)}${node.operator}${show(node.right)})`;
      case 'unary':
        return `(${node.operator}${show(node.operand)})`;
      case 'postfix':
        return `(${show(node.operand)}${node.operator})`;
      default:
        return printFormula(node, at);
    }
  };
  return show(parseFormula(text, at));
}

describe('operators bind as in Excel', () => {
  it.each([
    ['-2^2', '((-2)^2)'],
    ['2^-3^2', '((2^(-3))^2)'],
    ['1+2*3^2%', '(1+(2*(3^(2%))))'],
    ['-2%', '((-2)%)'],
    ['1-2-3', '((1-2)-3)'],
    ['"a"&1+2="b"', '(("a"&(1+2))="b")'],
    ['1=2=3', '((1=2)=3)'],
    ['A1:B2 B1:C3', '(A1:B2 B1:C3)'],
    ['(A1,B1:B2 B2)', '(A1,(B1:B2 B2))'],
    ['A1 -B1', '(A1-B1)'],
    ['Sheet1!A1:Sheet1!B2', '(Sheet1!A1:Sheet1!B2)'],
    ['A1:INDEX(A1:A9,3)', '(A1:INDEX(A1:A9,3))'],
    ['@A1:A10*2', '((@A1:A10)*2)'],
    ['A1#+1', '((A1#)+1)'],
    ['a<>b', '(a<>b)'],
    ['a<=-b', '(a<=(-b))'],
  ])('%s', (text, expected) => expect(shape(text)).toBe(expected));
});

describe('everything a file may hold comes back as it was', () => {
  it.each([
    'SUM(A1:$B$2,Sheet1!C:D,$3:4)',
    "'It''s'!A1+'2019'!$B2",
    'Sheet1:Sheet3!A1',
    "SUM('Jan:Dec 2'!A1:B2)",
    '[1]Sheet1!A1*[2]!rate',
    "'[3]My sheet'!A1:B2",
    '[1]Sheet1:Sheet2!A1',
    'Sheet1!local_name+rate.2+_a\\b',
    '_xlfn.XLOOKUP(A1,B1:B2,C1:C2)',
    '_xlfn._xlws.FILTER(A1:A3,A1:A3>0)',
    '_xlfn.LET(_xlpm.x,2,_xlpm.x*3)',
    '_xlfn.LAMBDA(_xlpm.x,_xlpm.x+1)(4)',
    '_xlfn.LET(_xlpm.f,_xlfn.LAMBDA(_xlpm.x,_xlpm.x),_xlpm.f(1))',
    '_xlfn.SINGLE(A1:A3)+SUM(_xlfn.ANCHORARRAY(B1))',
    'LOG10(100)+ATAN2(1,2)',
    'IF(A1,,3)',
    'F()',
    'F(,)',
    'F((A1,B1),2)',
    '{1,-2.5,"a""b";TRUE,FALSE,#N/A}',
    '"say ""hi"""&""',
    '1E+30+0.001+1.5E-7',
    '#REF!+#N/A+#DIV/0!',
    'Table1[]',
    'Table1[col]',
    'Table1[ col ]',
    'Table1[[ ]]',
    'Table1[[#This Row],[col ]]',
    'Table1[[#This Row],[a]:[b c]]',
    'Table1[[#Headers],[#Data],[a]]',
    'Table1[#All]',
    "Table1['[x'] '#1]",
    '[#This Row]',
    '[[#This Row],[col]]',
    '[col]',
    '(A1:B2 B1:C3)*2',
    '(1+2)*3-(4-5)',
    '(-1)^2',
    '-(1+2)',
    '[1]!udf(1,2)',
    'Sheet1!#REF!',
    '!A1',
    "[1]!'ES #F'",
    '_xlfn.LAMBDA(_xlpm.a,_xlop.b,_xlpm.a)',
    '_xlfn.BYROW(A1:B2,_xleta.SUM)',
    '[0]!name',
  ])('%s', (text) => {
    const printed = again(text);
    expect(again(printed)).toBe(printed);
    expect(parseFormula(printed, at)).toEqual(parseFormula(text, at));
  });

  it.each([
    ['sum( A1 , b2 )', 'SUM(A1,B2)'],
    ['2019!A1', "'2019'!A1"],
    ['Table1[@col]', 'Table1[[#This Row],[col]]'],
    ['Table1[@[a]:[b]]', 'Table1[[#This Row],[a]:[b]]'],
    ['[@col]', '[[#This Row],[col]]'],
    ['[@]', '[#This Row]'],
    ['#REF!$A$1:B2+1', '#REF!+1'],
    ['A1#', '_xlfn.ANCHORARRAY(A1)'],
    ['Jan:Dec!A1', 'Jan:Dec!A1'],
    ['(A1)', 'A1'],
    ['true', 'TRUE'],
    ['A1 : B2', 'A1:B2'],
  ])('%s is written %s', (text, expected) => expect(again(text)).toBe(expected));
});

it('a formula filled down has one relative text, and prints where it stands', () => {
  const tree = parseFormula('A5*$B$1+SUM(A$1:A5)', { row: 4, col: 2 });
  expect(printRelative(tree)).toBe(printRelative(parseFormula('A6*$B$1+SUM(A$1:A6)', { row: 5, col: 2 })));
  expect(printFormula(tree, { row: 9, col: 3 })).toBe('B10*$B$1+SUM(B$1:B10)');
  expect(printFormula(parseFormula('A1', { row: 1, col: 0 }), { row: 0, col: 0 })).toBe('A1048576');
});

describe('what is no formula is refused with its place', () => {
  it.each([
    ['', 0],
    ['1+', 2],
    ['SUM(1', 5],
    ['(1', 2],
    ['1)', 1],
    ['"abc', 0],
    ["'abc", 0],
    ['{1,2;3}', 0],
    ['Table1[abc', 6],
    ['A1 "x"', 3],
    ['1 2 {', 4],
    ['#FOO!', 0],
    ['+'.repeat(5000) + '1', 200],
    ['('.repeat(5000), 200],
    ['SUM('.repeat(5000), 800],
    ['1'.repeat(40_000), 0],
    ['1+1E400', 2],
    ['1' + '+1'.repeat(5000), 8195],
  ])('%#', (text, position) => {
    let error: unknown;
    try {
      parseFormula(text, at);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(ParseError);
    expect((error as ParseError).position).toBe(position);
  });

  it('a long row of operators is read and printed', () => {
    const text = `1${'+1'.repeat(4000)}`;
    expect(again(text)).toBe(text);
  });
});

const word = fc.stringMatching(/^[a-z_]{4,8}$/);
const sheet = fc.oneof(word, fc.constantFrom("It's", 'A1', 'R1C1', '1 2', 'Ünïcode', 'TRUE', 'a-b'));
const prefix = fc.oneof(
  fc.constant(null),
  fc.record({ book: fc.constantFrom(null, '1', '12'), first: sheet, last: fc.constant(null) }),
  fc.record({ book: fc.constant(null), first: sheet, last: sheet }),
);
const value: fc.Arbitrary<Node> = fc.oneof(
  fc
    .double({ noNaN: true, noDefaultInfinity: true, min: 0 })
    .map((value): Node => ({ type: 'number', value: value + 0 })),
  fc.string().map((value): Node => ({ type: 'text', value })),
  fc.boolean().map((value): Node => ({ type: 'boolean', value })),
  fc.constantFrom('#N/A', '#REF!', '#DIV/0!').map((code): Node => ({ type: 'error', code }) as Node),
);
const reference: fc.Arbitrary<Node> = fc.oneof(
  fc.record({
    type: fc.constant('reference' as const),
    prefix,
    shape: fc.constant('range' as const),
    row1: fc.nat(99),
    col1: fc.nat(99),
    row2: fc.nat(99),
    col2: fc.nat(99),
    absolute: fc.nat(15),
  }),
  fc.record({ type: fc.constant('name' as const), prefix, name: word, variable: fc.constant(false) }),
  fc
    .record({
      first: fc.stringMatching(/^[\w '#@[\]]+$/),
      last: fc.stringMatching(/^[\w '#@[\]]+$/),
      row: fc.boolean(),
    })
    .map(({ first, last, row }): Node => {
      const items = row ? (['#This Row'] as const).slice() : [];
      return { type: 'structured', prefix: null, table: 'Tabelle1', items, first, last };
    }),
);
const tree = fc.letrec<{ node: Node; area: Node }>((tie) => ({
  area: fc.oneof(
    { maxDepth: 4, depthIdentifier: 'area' },
    reference,
    fc
      .tuple(fc.constantFrom<BinaryOperator>(',', ' ', ':'), tie('area'), tie('area'))
      .map(([operator, left, right]): Node => ({ type: 'binary', operator, left, right })),
  ),
  node: fc.oneof(
    { maxDepth: 5, depthIdentifier: 'tree' },
    value,
    tie('area'),
    fc
      .tuple(fc.constantFrom<BinaryOperator>('=', '<>', '<=', '&', '+', '-', '*', '/', '^'), tie('node'), tie('node'))
      .map(([operator, left, right]): Node => ({ type: 'binary', operator, left, right })),
    fc
      .tuple(fc.constantFrom('-' as const, '+' as const, '@' as const), tie('node'))
      .map(([operator, operand]): Node => ({ type: 'unary', operator, operand })),
    fc
      .tuple(fc.constantFrom('%' as const, '#' as const), tie('node'))
      .map(([operator, operand]): Node => ({ type: 'postfix', operator, operand })),
    fc
      .tuple(word, fc.array(tie('node'), { maxLength: 3 }))
      .map(([name, args]): Node => ({ type: 'call', name: name.toUpperCase(), filePrefix: '', args })),
  ),
})).node;

it('a generated formula printed and parsed again is the same', () => {
  fc.assert(
    fc.property(tree, (node) => {
      expect(parseFormula(printFormula(node, at), at)).toEqual(node);
    }),
    { numRuns: rounds(500, 2000) },
  );
});
