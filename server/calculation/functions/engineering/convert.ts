/** CONVERT. Source: Microsoft, 'CONVERT function'. */
import type { CellError } from '#server/calculation/values/cell-value.ts';
import { checkNumber, NA_ERROR, toText } from '#server/calculation/values/coerce.ts';
import type { CellValue } from '#server/calculation/values/cell-value.ts';
import { defineFunction, type FunctionDefinition } from '../function.ts';
import { strictNumber } from './strict-number.ts';
import { BINARY_PREFIXES, PREFIXES, UNITS } from './units.ts';

interface Measure {
  kind: string;
  factor: number;
}

/**
 * Returns the possible meanings of a name: a unit of this name, then a unit with a prefix ('pc' is a parsec or a
 * picocalorie).
 */
function unitsCalled(name: string): Measure[] {
  const unit = UNITS.get(name);
  const found: Measure[] = unit ? [unit] : [];
  for (const length of [1, 2]) {
    const rest = UNITS.get(name.slice(length));
    if (!rest || rest.prefix === 0) continue;
    const prefix = name.slice(0, length);
    const binary = rest.isBinary ? BINARY_PREFIXES.get(prefix) : undefined;
    const scale = binary ?? PREFIXES.get(prefix);
    if (scale !== undefined) found.push({ kind: rest.kind, factor: rest.factor * scale ** rest.prefix });
  }
  return found;
}

const FREEZING = 273.15;
const FAHRENHEIT_OFFSET = 459.67;

/** Conversions to and from kelvin; these scales have different zero points. */
const TEMPERATURES: Record<string, { toKelvin(value: number): number; fromKelvin(value: number): number }> = {
  C: { toKelvin: (value) => value + FREEZING, fromKelvin: (value) => value - FREEZING },
  F: {
    toKelvin: (value) => ((value + FAHRENHEIT_OFFSET) * 5) / 9,
    fromKelvin: (value) => (value * 9) / 5 - FAHRENHEIT_OFFSET,
  },
  K: { toKelvin: (value) => value, fromKelvin: (value) => value },
  Rank: { toKelvin: (value) => (value * 5) / 9, fromKelvin: (value) => (value * 9) / 5 },
  Reau: { toKelvin: (value) => value * 1.25 + FREEZING, fromKelvin: (value) => (value - FREEZING) * 0.8 },
};

const ALIASES: Record<string, string> = { cel: 'C', fah: 'F', kel: 'K' };

interface Scale {
  name: string;
  prefix: number;
}

/** Only kelvins take prefixes. */
function temperatureScale(unit: string): Scale | null {
  const name = ALIASES[unit] ?? unit;
  if (name in TEMPERATURES) return { name, prefix: 1 };
  const match = /^(da|.)(K|kel)$/.exec(unit);
  const prefix = match ? PREFIXES.get(match[1]!) : undefined;
  return prefix === undefined ? null : { name: 'K', prefix };
}

function convertTemperature(value: number, from: Scale, to: Scale): number {
  if (from.name === to.name) return (value * from.prefix) / to.prefix;
  // Converts directly: 68 °F is then exactly 20 °C, without a rounding error.
  if (from.name === 'F' && to.name === 'C') return ((value - 32) * 5) / 9;
  if (from.name === 'C' && to.name === 'F') return (value * 9) / 5 + 32;
  return TEMPERATURES[to.name]!.fromKelvin(TEMPERATURES[from.name]!.toKelvin(value * from.prefix)) / to.prefix;
}

function convert(value: number, from: string, to: string): number | CellError {
  const [first, second] = [temperatureScale(from), temperatureScale(to)];
  if (first && second) return convertTemperature(value, first, second);
  const targets = unitsCalled(to);
  for (const source of unitsCalled(from)) {
    const target = targets.find(({ kind }) => kind === source.kind);
    if (target) return source.factor === target.factor ? value : (value * source.factor) / target.factor;
  }
  return NA_ERROR;
}

export const convertFunctions: FunctionDefinition[] = [
  defineFunction('CONVERT', 'vvv', ([value, from, to]) => {
    const number = strictNumber(value);
    if (typeof number !== 'number') return number;
    const first = toText(from as CellValue);
    if (typeof first !== 'string') return first;
    const second = toText(to as CellValue);
    if (typeof second !== 'string') return second;
    const result = convert(number, first, second);
    return typeof result === 'number' ? checkNumber(result) : result;
  }),
];
