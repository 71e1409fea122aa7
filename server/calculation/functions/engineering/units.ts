/**
 * Units of CONVERT by quantity; factors are relative to the first unit of each quantity. Sources: Microsoft, 'CONVERT
 * function'; NIST SP 811, appendix B.8, for exact factors.
 */

export interface Unit {
  kind: string;
  factor: number;
  /** Power to which an SI prefix is raised (km² is a million m²); 0 if the unit takes no prefix. */
  prefix: 0 | 1 | 2 | 3;
  /** True if the unit also takes binary prefixes. */
  isBinary: boolean;
}

const FOOT = 0.3048;
const INCH = 0.0254;
const MILE = 1609.344;
const NAUTICAL_MILE = 1852;
const YARD = 0.9144;
const SURVEY_FOOT = 1200 / 3937;
const PICA_POINT = INCH / 72;
const LIGHT_YEAR = 9_460_730_472_580_800;
const PARSEC = 30_856_775_814_913_672;
const ANGSTROM = 1e-10;
const ELL = 1.143;
const POUND = 453.59237;
const GRAVITY = 9.80665;
const CALORIE_IT = 4.1868;
const BTU = 1055.05585262;
const GALLON = 231 * INCH ** 3 * 1000;
const IMPERIAL_GALLON = 4.54609;
const HORSEPOWER = 550 * FOOT * (POUND / 1000) * GRAVITY;
const ELECTRON_VOLT = 1.602176487e-19;

/** Names of units separated by spaces, with their factor. Units with '*' take prefixes. */
type Table = [names: string, factor: number][];

const KINDS: Record<string, Table> = {
  mass: [
    ['g*', 1],
    ['sg', (POUND * GRAVITY) / FOOT],
    ['lbm', POUND],
    ['u*', 1.660538782e-24],
    ['ozm', POUND / 16],
    ['grain', POUND / 7000],
    ['cwt shweight', POUND * 100],
    ['uk_cwt lcwt hweight', POUND * 112],
    ['stone', POUND * 14],
    ['ton', POUND * 2000],
    ['uk_ton LTON brton', POUND * 2240],
  ],
  distance: [
    ['m*', 1],
    ['mi', MILE],
    ['Nmi', NAUTICAL_MILE],
    ['in', INCH],
    ['ft', FOOT],
    ['yd', YARD],
    ['ang*', ANGSTROM],
    ['ell', ELL],
    ['ly*', LIGHT_YEAR],
    ['parsec* pc*', PARSEC],
    ['Pica Picapt', PICA_POINT],
    ['pica', INCH / 6],
    ['survey_mi', SURVEY_FOOT * 5280],
  ],
  time: [
    ['s* sec*', 1],
    ['yr', 31_557_600],
    ['day d', 86_400],
    ['hr', 3600],
    ['mn min', 60],
  ],
  pressure: [
    ['Pa* p*', 1],
    ['atm* at*', 101_325],
    ['mmHg*', 133.322],
    ['psi', ((POUND / 1000) * GRAVITY) / INCH ** 2],
    ['Torr', 101_325 / 760],
  ],
  force: [
    ['N*', 1],
    ['dyn* dy*', 1e-5],
    ['lbf', (POUND / 1000) * GRAVITY],
    ['pond*', GRAVITY / 1000],
  ],
  energy: [
    ['J*', 1],
    ['e*', 1e-7],
    ['c*', 4.184],
    ['cal*', CALORIE_IT],
    ['eV* ev*', ELECTRON_VOLT],
    ['HPh hh', HORSEPOWER * 3600],
    ['Wh* wh*', 3600],
    ['flb', FOOT * (POUND / 1000) * GRAVITY],
    ['BTU btu', BTU],
  ],
  power: [
    ['W* w*', 1],
    ['HP h', HORSEPOWER],
    ['PS', 75 * GRAVITY],
  ],
  magnetism: [
    ['T*', 1],
    ['ga*', 1e-4],
  ],
  volume: [
    ['l* L* lt*', 1],
    ['tsp', GALLON / 768],
    ['tspm', 0.005],
    ['tbs', GALLON / 256],
    ['oz', GALLON / 128],
    ['cup', GALLON / 16],
    ['pt us_pt', GALLON / 8],
    ['uk_pt*', IMPERIAL_GALLON / 8],
    ['qt', GALLON / 4],
    ['uk_qt', IMPERIAL_GALLON / 4],
    ['gal', GALLON],
    ['uk_gal', IMPERIAL_GALLON],
    ['barrel', GALLON * 42],
    ['bushel', 2150.42 * INCH ** 3 * 1000],
    ['regton GRT', 100 * FOOT ** 3 * 1000],
    ['MTON', 40 * FOOT ** 3 * 1000],
  ],
  information: [
    ['bit*', 1],
    ['byte*', 8],
  ],
  speed: [
    ['m/s* m/sec*', 1],
    ['m/h* m/hr*', 1 / 3600],
    ['mph*', MILE / 3600],
    ['kn', NAUTICAL_MILE / 3600],
    ['admkn', (6080 * FOOT) / 3600],
  ],
  area: [
    ['us_acre', 10 * (66 * SURVEY_FOOT) ** 2],
    ['uk_acre', 10 * (22 * YARD) ** 2],
    ['ar*', 100],
    ['ha', 10_000],
    ['Morgen', 2500],
  ],
};

/** Lengths, in meters, whose squares and cubes are also units. */
const LENGTHS: [string, number][] = [
  ['m*', 1],
  ['mi', MILE],
  ['Nmi', NAUTICAL_MILE],
  ['in', INCH],
  ['ft', FOOT],
  ['yd', YARD],
  ['ang*', ANGSTROM],
  ['ly', LIGHT_YEAR],
  ['Pica Picapt', PICA_POINT],
];

function buildUnits(): Map<string, Unit> {
  const units = new Map<string, Unit>();
  const add = (kind: string, name: string, factor: number, power: 1 | 2 | 3): void => {
    const takesPrefix = name.includes('*');
    const isBinary = kind === 'information';
    units.set(name.replace('*', ''), { kind, factor, prefix: takesPrefix ? power : 0, isBinary });
  };
  for (const [kind, table] of Object.entries(KINDS)) {
    for (const [names, factor] of table) for (const name of names.split(' ')) add(kind, name, factor, 1);
  }
  for (const [names, length] of LENGTHS) {
    for (const name of names.split(' ')) {
      for (const form of [`${name}2`, `${name}^2`]) add('area', form, length ** 2, 2);
      // A liter is a thousandth of a cubic meter.
      for (const form of [`${name}3`, `${name}^3`]) add('volume', form, length ** 3 * 1000, 3);
    }
  }
  return units;
}

export const UNITS: ReadonlyMap<string, Unit> = buildUnits();

export const PREFIXES: ReadonlyMap<string, number> = new Map([
  ['Y', 1e24],
  ['Z', 1e21],
  ['E', 1e18],
  ['P', 1e15],
  ['T', 1e12],
  ['G', 1e9],
  ['M', 1e6],
  ['k', 1e3],
  ['h', 1e2],
  ['da', 10],
  ['e', 10],
  ['d', 0.1],
  ['c', 0.01],
  ['m', 1e-3],
  ['u', 1e-6],
  ['n', 1e-9],
  ['p', 1e-12],
  ['f', 1e-15],
  ['a', 1e-18],
  ['z', 1e-21],
  ['y', 1e-24],
]);

export const BINARY_PREFIXES: ReadonlyMap<string, number> = new Map(
  ['ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei', 'Zi', 'Yi'].map((prefix, index) => [prefix, 2 ** (10 * (index + 1))]),
);
