/** Every worksheet function the engine has. */
import { logicalFunctions } from './logical/logical.ts';
import { sumFunctions } from './sums/sums.ts';
import { productFunctions } from './sums/products.ts';
import { matrixFunctions } from './sums/matrices.ts';
import { randomFunctions } from './sums/random.ts';
import { criteriaFunctions } from './sums/criteria-sums.ts';
import { subtotalFunctions } from './sums/subtotal.ts';
import type { FunctionDefinition } from './function.ts';

const CATEGORIES: readonly (readonly FunctionDefinition[])[] = [
  sumFunctions,
  logicalFunctions,
  productFunctions,
  matrixFunctions,
  randomFunctions,
  criteriaFunctions,
  subtotalFunctions,
];

/** The special forms of the compiler, which have no definition. */
const FORMS = [
  'IF',
  'IFS',
  'IFERROR',
  'IFNA',
  'SWITCH',
  'CHOOSE',
  'LET',
  'LAMBDA',
  'ISOMITTED',
  'SINGLE',
  'ANCHORARRAY',
];

const byName = new Map(CATEGORIES.flat().map((definition) => [definition.name, definition]));

/** `name` in upper case, without the prefixes of files. */
export function findFunction(name: string): FunctionDefinition | undefined {
  return byName.get(name);
}

/** All names, special forms included, in alphabetical order. */
export function functionNames(): string[] {
  return [...byName.keys(), ...FORMS].sort();
}
