/**
 * Validates the parts of a chart that a run rewrites against the schemas that Excel uses. If an element is out of
 * place, Excel repairs the file and drops the chart. Source: ECMA-376 part 1, 21.2.2 (chart); MS-ODRAWXML 2.24.3
 * (chartex).
 */
import { SaxesParser, type SaxesTagPlain } from 'saxes';
import { orderProblems, type Sequences } from './element-order.ts';

const SEQUENCES: Sequences = {
  'c:tx': ['c:strRef', 'c:rich'],
  'c:cat': ['c:multiLvlStrRef', 'c:numRef', 'c:numLit', 'c:strRef', 'c:strLit'],
  'c:xVal': ['c:multiLvlStrRef', 'c:numRef', 'c:numLit', 'c:strRef', 'c:strLit'],
  'c:val': ['c:numRef', 'c:numLit'],
  'c:yVal': ['c:numRef', 'c:numLit'],
  'c:bubbleSize': ['c:numRef', 'c:numLit'],
  'c:plus': ['c:numRef', 'c:numLit'],
  'c:minus': ['c:numRef', 'c:numLit'],
  'c:numRef': ['c:f', 'c:numCache', 'c:extLst'],
  'c:strRef': ['c:f', 'c:strCache', 'c:extLst'],
  'c:multiLvlStrRef': ['c:f', 'c:multiLvlStrCache', 'c:extLst'],
  'c:numCache': ['c:formatCode', 'c:ptCount', 'c:pt*', 'c:extLst'],
  'c:strCache': ['c:ptCount', 'c:pt*', 'c:extLst'],
  'c:multiLvlStrCache': ['c:ptCount', 'c:lvl*', 'c:extLst'],
  'c:lvl': ['c:pt*'],
  'c:pt': ['c:v'],
  'cx:numDim': ['cx:f', 'cx:nf', 'cx:lvl*'],
  'cx:strDim': ['cx:f', 'cx:nf', 'cx:lvl*'],
  'cx:lvl': ['cx:pt*'],
};
/** Elements that have only one of their children in SEQUENCES, not several in order. */
const CHOICES = new Set(['c:tx', 'c:cat', 'c:xVal', 'c:val', 'c:yVal', 'c:bubbleSize', 'c:plus', 'c:minus']);
const ERRORS = /^#(N\/A|NUM!|VALUE!|REF!|DIV\/0!|NAME\?|NULL!|GETTING_DATA|SPILL!|CALC!)$/;

interface Open {
  name: string;
  children: string[];
  /** The declared number of points, and the index of the last point so far. */
  count: number;
  last: number;
  text: string;
}

/** Returns the problems that keep Excel from reading the chart; empty if it is valid. */
export function chartProblems(xml: string): string[] {
  const problems: string[] = [];
  const open: Open[] = [];
  const parser = new SaxesParser();
  parser.on('error', (error) => problems.push(error.message));
  parser.on('opentag', ({ name, attributes }: SaxesTagPlain) => {
    const parent = open.at(-1);
    parent?.children.push(name);
    if (name === 'c:ptCount') parent!.count = Number(attributes['val']);
    const own: Open = { name, children: [], count: Number(attributes['ptCount'] ?? NaN), last: -1, text: '' };
    if (name === 'c:lvl') own.count = parent?.count ?? NaN;
    if (name === 'c:pt' || name === 'cx:pt') problems.push(...pointProblems(parent!, Number(attributes['idx'])));
    open.push(own);
  });
  parser.on('text', (text) => {
    if (open.length > 0) open.at(-1)!.text += text;
  });
  parser.on('closetag', () => {
    const closed = open.pop()!;
    problems.push(...orderProblems(SEQUENCES, closed.name, closed.children));
    if (CHOICES.has(closed.name) && closed.children.length > 1)
      problems.push(`${closed.name} has ${closed.children.join(' and ')}`);
    if (closed.name === 'c:v' && open.at(-2)?.name === 'c:numCache') problems.push(...numberProblems(closed.text));
  });
  parser.write(xml).close();
  return problems;
}

function pointProblems(parent: Open, index: number): string[] {
  const isNext = Number.isSafeInteger(index) && index > parent.last && index < parent.count;
  const problem = `point ${index} of ${parent.count} after ${parent.last} in ${parent.name}`;
  parent.last = index;
  return isNext ? [] : [problem];
}

const numberProblems = (text: string): string[] =>
  (text.trim() !== '' && Number.isFinite(Number(text))) || ERRORS.test(text) ? [] : [`no number: '${text}'`];
