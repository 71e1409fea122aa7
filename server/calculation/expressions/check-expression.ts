/** Checks expressions of workflows when they are saved. */
import type { CheckExpression } from '#shared/rules/workflows/expression-types.ts';
import { expressionType } from './expression-type.ts';
import { ExpressionError, parseExpression } from './parse-expression.ts';

export const checkExpression: CheckExpression = (formula, reads) => {
  try {
    const { tree, names } = parseExpression(formula);
    if (names.length !== reads.length) throw new Error('an expression came without what it reads');
    return expressionType(tree, reads);
  } catch (error) {
    if (error instanceof ExpressionError) return { problem: error.message };
    throw error;
  }
};
