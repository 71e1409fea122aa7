/**
 * Functions that do not calculate all their arguments, or that pass references on: IF, IFS, SWITCH, CHOOSE, IFERROR,
 * IFNA.
 */
import type { CallNode, Node } from '../syntax/ast.ts';
import { CellError } from '../values/cell-value.ts';
import type { CellValue } from '../values/cell-value.ts';
import { NA_ERROR, toBoolean, toNumber, VALUE_ERROR } from '../values/coerce.ts';
import { compareValues } from '../values/compare.ts';
import { Areas, isMatrix } from '../values/matrix.ts';
import type { FormulaValue } from '../values/matrix.ts';
import type { Code, Evaluation, Mode, Want } from './code.ts';
import { elementsCode } from './constant-arrays.ts';
import { isLifted, liftCall, plain } from './lift.ts';
import type { Site } from './site.ts';
import { sparseChoice } from './sparse-arrays.ts';

type Form = (node: CallNode, want: Want, mode: Mode, site: Site) => Code;

/**
 * A condition is calculated for a single value even if a surrounding argument forces arrays: SUMPRODUCT(IF(…)) needs an
 * array formula.
 */
const conditionMode = (mode: Mode): Mode => (mode === 'forced' ? 'scalar' : mode);

/** Returns a tested value: an array with one element becomes that element. */
function tested(value: FormulaValue): FormulaValue {
  return isMatrix(value) && value.rows === 1 && value.cols === 1 ? value.at(0, 0) : value;
}

/** Applies `choose` to each element of the tested values and the alternatives. */
function lifted(values: FormulaValue[], choose: (values: FormulaValue[]) => FormulaValue, c: Evaluation): FormulaValue {
  const indexes = values.flatMap((value, index) => (isLifted(value) ? [index] : []));
  return liftCall(values, indexes, choose, c, true);
}

/** An omitted branch is blank: ="a"&IF(TRUE,,1) is "a", but a cell shows it as 0. Source: values saved by Excel. */
function branchCode(node: Node | undefined, want: Want, mode: Mode, site: Site, absent: CellValue): Code {
  if (!node) return () => absent;
  return node.type === 'missing' ? () => null : site.compile(node, want, mode, site);
}

/** In arrays, a blank counts as 0, so AVERAGE(IF(A1:A9="x",B1:B9)) includes it. Source: values saved by Excel. */
const ifForm: Form = ({ args }, want, mode, site) => {
  if (args.length < 1 || args.length > 3) return () => VALUE_ERROR;
  const condition = elementsCode(args[0]!, conditionMode(mode), site);
  const yes = branchCode(args[1], want, mode, site, true);
  const no = branchCode(args[2], want, mode, site, false);
  const choose = (values: FormulaValue[]): FormulaValue => {
    const truth = toBoolean(plain(values[0]));
    return truth instanceof CellError ? truth : ((truth ? values[1] : values[2]) ?? 0);
  };
  return (c) => {
    const value = condition(c);
    if (value === true) return yes(c);
    if (value === false) return no(c);
    const test = tested(value);
    if (isLifted(test)) {
      if (test instanceof Areas) return VALUE_ERROR;
      const [first, second] = [yes(c), no(c)];
      return sparseChoice(test, first, second, c) ?? lifted([test, first, second], choose, c);
    }
    const truth = toBoolean(plain(test));
    return truth instanceof CellError ? truth : truth ? yes(c) : no(c);
  };
};

/** IFERROR and IFNA. */
function rescue(catches: (error: CellError) => boolean): Form {
  return ({ args }, _want, mode, site) => {
    if (args.length !== 2) return () => VALUE_ERROR;
    const value = elementsCode(args[0]!, mode, site);
    const instead = elementsCode(args[1]!, mode, site);
    const choose = ([first, second]: FormulaValue[]): FormulaValue =>
      first instanceof CellError && catches(first) ? second : first;
    return (c) => {
      const result = tested(value(c));
      if (typeof result !== 'object' || result === null) return result;
      if (result instanceof CellError) return catches(result) ? instead(c) : result;
      return isLifted(result) ? lifted([result, instead(c)], choose, c) : result;
    };
  };
}

const ifsForm: Form = ({ args }, want, mode, site) => {
  if (args.length < 2 || args.length % 2 !== 0) return () => VALUE_ERROR;
  const codes = args.map((arg, index) =>
    index % 2 === 0 ? elementsCode(arg, conditionMode(mode), site) : branchCode(arg, want, mode, site, 0),
  );
  const choose = (values: FormulaValue[]): FormulaValue => {
    for (let index = 0; index < values.length; index += 2) {
      const truth = toBoolean(plain(values[index]));
      if (truth instanceof CellError) return truth;
      if (truth) return values[index + 1];
    }
    return NA_ERROR;
  };
  return (c) => {
    for (let index = 0; index < codes.length; index += 2) {
      const test = tested(codes[index]!(c));
      if (isLifted(test)) return lifted([test, ...codes.slice(index + 1).map((code) => code(c))], choose, c);
      const truth = toBoolean(plain(test));
      if (truth instanceof CellError) return truth;
      if (truth) return codes[index + 1]!(c);
    }
    return NA_ERROR;
  };
};

/** SWITCH treats a blank as 0, and never equates values of different types. Source: values saved by Excel. */
const isSame = (value: CellValue, other: CellValue): boolean => compareValues(value ?? 0, other ?? 0) === 0;

const switchForm: Form = ({ args }, want, mode, site) => {
  if (args.length < 3) return () => VALUE_ERROR;
  const hasDefault = args.length % 2 === 0;
  const subject = elementsCode(args[0]!, conditionMode(mode), site);
  const rest = args
    .slice(1)
    .map((arg, index) =>
      index % 2 === 0 && !(hasDefault && index === args.length - 2)
        ? elementsCode(arg, conditionMode(mode), site)
        : branchCode(arg, want, mode, site, 0),
    );
  const pairs = Math.floor(rest.length / 2);
  const choose = ([value, ...values]: FormulaValue[]): FormulaValue => {
    const own = plain(value);
    if (own instanceof CellError) return own;
    for (let pair = 0; pair < pairs; pair += 1) {
      const candidate = plain(values[pair * 2]);
      if (candidate instanceof CellError) return candidate;
      if (isSame(own, candidate)) return values[pair * 2 + 1];
    }
    return hasDefault ? values.at(-1) : NA_ERROR;
  };
  return (c) => {
    const value = tested(subject(c));
    if (isLifted(value)) return lifted([value, ...rest.map((code) => code(c))], choose, c);
    const own = plain(value);
    if (own instanceof CellError) return own;
    for (let pair = 0; pair < pairs; pair += 1) {
      const candidate = tested(rest[pair * 2]!(c));
      if (isLifted(candidate)) return lifted([value, ...rest.map((code) => code(c))], choose, c);
      const other = plain(candidate);
      if (other instanceof CellError) return other;
      if (isSame(own, other)) return rest[pair * 2 + 1]!(c);
    }
    return hasDefault ? rest.at(-1)!(c) : NA_ERROR;
  };
};

const chooseForm: Form = ({ args }, want, mode, site) => {
  if (args.length < 2) return () => VALUE_ERROR;
  const index = elementsCode(args[0]!, conditionMode(mode), site);
  const branches = args.slice(1).map((arg) => branchCode(arg, want, mode, site, 0));
  const branchIndex = (value: FormulaValue): number | CellError => {
    const number = toNumber(plain(value));
    if (typeof number !== 'number') return number;
    return number >= 1 && number < branches.length + 1 ? Math.trunc(number) : VALUE_ERROR;
  };
  const choose = (values: FormulaValue[]): FormulaValue => {
    const at = branchIndex(values[0]);
    return typeof at === 'number' ? values[at] : at;
  };
  return (c) => {
    const value = tested(index(c));
    if (isLifted(value)) return lifted([value, ...branches.map((branch) => branch(c))], choose, c);
    const at = branchIndex(value);
    return typeof at === 'number' ? branches[at - 1]!(c) : at;
  };
};

/** ISOMITTED: true for a variable that the call of a LAMBDA omitted. */
const isOmitted: Form = ({ args }, _want, mode, site) => {
  if (args.length !== 1) return () => VALUE_ERROR;
  const value = site.compile(args[0]!, 'any', mode, site);
  return (c) => value(c) === undefined;
};

export const SPECIAL_FORMS: ReadonlyMap<string, Form> = new Map<string, Form>([
  ['IF', ifForm],
  ['IFERROR', rescue(() => true)],
  ['IFNA', rescue((error) => error === NA_ERROR || error.code === '#N/A')],
  ['IFS', ifsForm],
  ['SWITCH', switchForm],
  ['CHOOSE', chooseForm],
  ['ISOMITTED', isOmitted],
]);
