/**
 * Calculates powers as Excel does: whole exponents by squaring, starting with the exponent's lowest bit, one half as
 * the square root, all others by logarithms, and negative exponents as the reciprocal of the positive ones. Library
 * functions often differ by one bit, which makes differences of two powers differ by many bits. Source: values saved by
 * Excel; hundreds of results agree in every digit.
 */
const MAX_INTEGER_EXPONENT = 2 ** 31;

export function raised(base: number, exponent: number): number {
  if (!Number.isInteger(exponent) || exponent >= MAX_INTEGER_EXPONENT || exponent <= -MAX_INTEGER_EXPONENT) {
    if (!(base > 0)) return base ** exponent;
    const size = Math.abs(exponent);
    const power = size === 0.5 ? Math.sqrt(base) : Math.exp(size * Math.log(base));
    return exponent < 0 ? 1 / power : power;
  }
  let result = 1;
  let square = base;
  let rest = Math.abs(exponent);
  while (rest > 0) {
    if (rest % 2 === 1) result *= square;
    rest = Math.floor(rest / 2);
    if (rest > 0) square *= square;
  }
  return exponent < 0 ? 1 / result : result;
}
