/**
 * The type of value that a function expects as an argument, according to its documentation ('serial_number', 'text',
 * 'logical'). Source: the descriptions of functions in ECMA-376 part 1, 18.17.7, and of newer ones in Microsoft's
 * reference of Excel functions.
 */
import type { ValueKind } from './value-kind.ts';

/**
 * `isWeak` is true if the function also accepts all other types. `inherit` stands for the type expected of the
 * function's own result.
 */
export type ExpectedType = { kind: ValueKind; isWeak: boolean } | 'inherit' | null;

const LETTERS: Record<string, ExpectedType> = {
  n: { kind: 'Number', isWeak: false },
  d: { kind: 'Date', isWeak: false },
  t: { kind: 'Text', isWeak: false },
  w: { kind: 'Text', isWeak: true },
  b: { kind: 'Boolean', isWeak: false },
  m: { kind: 'Number', isWeak: true },
  r: 'inherit',
  '-': null,
};

const EXPECTED_TYPES = new Map<string, readonly ExpectedType[]>();

/** One letter per argument; the last one applies to all further arguments. */
function define(letters: string, names: string): void {
  const types = Array.from(letters, (letter) => LETTERS[letter]!);
  for (const name of names.split(' ')) EXPECTED_TYPES.set(name, types);
}

define(
  'n',
  'SUM AVERAGE AVERAGEA MAX MAXA MIN MINA PRODUCT SUMSQ SUMPRODUCT COUNT STDEV STDEVA STDEVP STDEVPA STDEV.S STDEV.P VAR VARA VARP VARPA ' +
    'VAR.S VAR.P MEDIAN MODE MODE.SNGL MODE.MULT GEOMEAN HARMEAN AVEDEV DEVSQ SKEW SKEW.P KURT LARGE SMALL PERCENTILE PERCENTILE.INC ' +
    'PERCENTILE.EXC QUARTILE QUARTILE.INC QUARTILE.EXC PERCENTRANK PERCENTRANK.INC PERCENTRANK.EXC TRIMMEAN RANK RANK.EQ RANK.AVG ' +
    'STANDARDIZE CONFIDENCE CONFIDENCE.NORM CONFIDENCE.T FREQUENCY CORREL COVAR COVARIANCE.P COVARIANCE.S PEARSON RSQ SLOPE INTERCEPT ' +
    'STEYX LINEST LOGEST TREND GROWTH FORECAST FORECAST.LINEAR SUMX2MY2 SUMX2PY2 SUMXMY2 PROB FISHER FISHERINV PHI GAUSS',
);
define(
  'n',
  'ABS SIGN SQRT SQRTPI EXP LN LOG LOG10 POWER MOD QUOTIENT INT TRUNC ROUND ROUNDUP ROUNDDOWN MROUND CEILING CEILING.MATH ' +
    'CEILING.PRECISE ISO.CEILING FLOOR FLOOR.MATH FLOOR.PRECISE EVEN ODD FACT FACTDOUBLE COMBIN COMBINA PERMUT PERMUTATIONA GCD LCM ' +
    'MULTINOMIAL RANDBETWEEN SEQUENCE RANDARRAY SERIESSUM SIN COS TAN COT SEC CSC ASIN ACOS ATAN ATAN2 ACOT SINH COSH TANH COTH SECH ' +
    'CSCH ASINH ACOSH ATANH ACOTH DEGREES RADIANS MMULT MINVERSE MDETERM MUNIT ISEVEN ISODD DELTA GESTEP BITAND BITOR BITXOR ' +
    'BITLSHIFT BITRSHIFT ERF ERFC ERF.PRECISE ERFC.PRECISE GAMMA GAMMALN GAMMALN.PRECISE DEC2BIN DEC2HEX DEC2OCT COMPLEX ROMAN BASE ' +
    'FIXED DOLLAR BAHTTEXT CHAR UNICHAR DATE TIME ADDRESS N',
);
define(
  'n',
  'PMT IPMT PPMT PV FV NPER RATE NPV IRR MIRR CUMIPMT CUMPRINC EFFECT NOMINAL RRI PDURATION ISPMT SLN SYD DB DDB VDB DOLLARDE DOLLARFR ' +
    'FVSCHEDULE',
);
define(
  'n',
  'NORM.DIST NORM.INV NORM.S.DIST NORM.S.INV NORMDIST NORMINV NORMSDIST NORMSINV T.DIST T.DIST.RT T.DIST.2T T.INV T.INV.2T TDIST TINV ' +
    'F.DIST F.DIST.RT F.INV F.INV.RT FDIST FINV CHISQ.DIST CHISQ.DIST.RT CHISQ.INV CHISQ.INV.RT CHIDIST CHIINV BINOM.DIST ' +
    'BINOM.DIST.RANGE BINOM.INV BINOMDIST CRITBINOM NEGBINOM.DIST NEGBINOMDIST POISSON POISSON.DIST EXPON.DIST EXPONDIST GAMMA.DIST ' +
    'GAMMA.INV GAMMADIST GAMMAINV BETA.DIST BETA.INV BETADIST BETAINV WEIBULL WEIBULL.DIST LOGNORM.DIST LOGNORM.INV LOGNORMDIST LOGINV ' +
    'HYPGEOM.DIST HYPGEOMDIST T.TEST TTEST F.TEST FTEST Z.TEST ZTEST CHISQ.TEST CHITEST',
);
define('n-', 'CONVERT');
define('m', 'ISNUMBER');
define('dn', 'YEAR MONTH DAY WEEKDAY WEEKNUM ISOWEEKNUM HOUR MINUTE SECOND EDATE EOMONTH');
define('dd', 'DAYS');
define('ddt', 'DATEDIF');
define('ddb', 'DAYS360');
define('ddn', 'YEARFRAC PRICE YIELD DURATION MDURATION DISC INTRATE RECEIVED PRICEDISC YIELDDISC ACCRINTM');
define('ddn', 'TBILLPRICE TBILLYIELD TBILLEQ COUPDAYBS COUPDAYS COUPDAYSNC COUPNCD COUPNUM COUPPCD');
define('dddn', 'PRICEMAT YIELDMAT ACCRINT ODDLPRICE ODDLYIELD');
define('ddddn', 'ODDFPRICE ODDFYIELD');
define('nddn', 'AMORLINC AMORDEGRC');
define('ddd', 'NETWORKDAYS');
define('dd-d', 'NETWORKDAYS.INTL');
define('dnd', 'WORKDAY');
define('dn-d', 'WORKDAY.INTL');
define('nnd', 'XNPV');
define('ndn', 'XIRR');
define('tn', 'LEFT RIGHT LEFTB RIGHTB REPT');
define('tnn', 'MID MIDB');
define('ttn', 'FIND SEARCH FINDB SEARCHB TEXTBEFORE TEXTAFTER');
define('tttn', 'SUBSTITUTE');
define('tnnt', 'REPLACE REPLACEB');
define(
  't',
  'UPPER LOWER PROPER CODE UNICODE VALUE DATEVALUE TIMEVALUE NUMBERVALUE INDIRECT ENCODEURL FILTERXML HYPERLINK TEXTSPLIT REGEXTEST ' +
    'REGEXEXTRACT REGEXREPLACE',
);
define('w', 'LEN LENB TRIM CLEAN EXACT CONCATENATE CONCAT T ISTEXT');
define('tbw', 'TEXTJOIN');
define('b', 'AND OR NOT XOR');
define('brr', 'IF');
define(
  'r',
  'IFERROR IFNA VSTACK HSTACK TOCOL TOROW TRANSPOSE SINGLE ANCHORARRAY TRIMRANGE _TRO_LEADING _TRO_TRAILING _TRO_ALL',
);
define('nr', 'CHOOSE');
define('rn', 'INDEX OFFSET TAKE DROP CHOOSEROWS CHOOSECOLS EXPAND WRAPROWS WRAPCOLS');
define('rb', 'FILTER UNIQUE');
define('r-', 'SORT SORTBY');

/**
 * Returns the type expected of argument `index` (from 0); `name` is in upper case, without prefixes. Null if any type
 * is accepted.
 */
export function expectedTypeOf(name: string, index: number): ExpectedType {
  const types = EXPECTED_TYPES.get(name);
  return types ? types[Math.min(index, types.length - 1)]! : null;
}
