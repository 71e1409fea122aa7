import { expect, test } from 'vitest';
import { evaluate } from '#server/calculation/testing/evaluate.ts';

const BASES: [string, string | number][] = [
  ['=BIN2DEC(1100100)', 100],
  ['=BIN2DEC(1111111111)', -1],
  ['=BIN2DEC("")', 0],
  ['=BIN2DEC(12)', '#NUM!'],
  ['=BIN2DEC(11111111111)', '#NUM!'],
  ['=BIN2HEX(11111011,4)', '00FB'],
  ['=BIN2HEX(1111111111)', 'FFFFFFFFFF'],
  ['=BIN2OCT(1001,3)', '011'],
  ['=DEC2BIN(9,4)', '1001'],
  ['=DEC2BIN("E",0)', '#NUM!'],
  ['=DEC2BIN("E",4)', '#VALUE!'],
  ['=DEC2BIN(NA(),0)', '#N/A'],
  ['=DEC2BIN(-100)', '1110011100'],
  ['=DEC2BIN(512)', '#NUM!'],
  ['=DEC2BIN(-513)', '#NUM!'],
  ['=DEC2BIN(9,3)', '#NUM!'],
  ['=DEC2BIN(9,11)', '#NUM!'],
  ['=DEC2BIN(TRUE)', '#VALUE!'],
  ['=DEC2HEX(100,4)', '0064'],
  ['=DEC2HEX(-54)', 'FFFFFFFFCA'],
  ['=DEC2HEX(549755813888)', '#NUM!'],
  ['=DEC2OCT(58,3)', '072'],
  ['=DEC2OCT(-100)', '7777777634'],
  ['=HEX2BIN("F",8)', '00001111'],
  ['=HEX2BIN("FFFFFFFFFF")', '1111111111'],
  ['=HEX2BIN("200")', '#NUM!'],
  ['=HEX2DEC("3DA408B9")', 1034160313],
  ['=HEX2DEC("FFFFFFFF5B")', -165],
  ['=HEX2OCT("3B4E")', '35516'],
  ['=OCT2BIN(7777777000)', '1000000000'],
  ['=OCT2DEC(7777777533)', -165],
  ['=OCT2HEX(100,4)', '0040'],
  ['=BITAND(13,25)', 9],
  ['=BITOR(23,10)', 31],
  ['=BITXOR(5,3)', 6],
  ['=BITAND(2^47+5,2^47+4)', 2 ** 47 + 4],
  ['=BITAND(2^48,1)', '#NUM!'],
  ['=BITAND(1.5,1)', '#NUM!'],
  ['=BITLSHIFT(4,2)', 16],
  ['=BITLSHIFT(1,48)', '#NUM!'],
  ['=BITLSHIFT(16,-2)', 4],
  ['=BITRSHIFT(13,2)', 3],
  ['=BITRSHIFT(1,54)', '#NUM!'],
  ['=DELTA(5,4)', 0],
  ['=DELTA(0)', 1],
  ['=GESTEP(5,4)', 1],
  ['=GESTEP(-4,-5)', 1],
  ['=GESTEP(-1)', 0],
];

test.each(BASES)('%s is %s', (formula, expected) => expect(evaluate(formula)).toBe(expected));

const COMPLEX: [string, string | number][] = [
  ['=COMPLEX(3,4)', '3+4i'],
  ['=COMPLEX(3,4,"j")', '3+4j'],
  ['=COMPLEX(0,1)', 'i'],
  ['=COMPLEX(1,0)', '1'],
  ['=COMPLEX(0,-1)', '-i'],
  ['=COMPLEX(3,4,"I")', '#VALUE!'],
  ['=COMPLEX(1E-16,0)', '0.0000000000000001'],
  ['=IMABS("5+12i")', 13],
  ['=IMAGINARY("3+4i")', 4],
  ['=IMAGINARY("0-j")', -1],
  ['=IMREAL("6-9i")', 6],
  ['=IMREAL(4)', 4],
  ['=IMREAL("4x")', '#NUM!'],
  ['=IMCONJUGATE("3+4i")', '3-4i'],
  ['=IMSUM("3+4i","5-3i")', '8+i'],
  ['=IMSUB("13+4i","5+3i")', '8+i'],
  ['=IMPRODUCT("3+4i","5-3i")', '27+11i'],
  ['=IMPRODUCT("1+2i",30)', '30+60i'],
  ['=IMDIV("-238+240i","10+24i")', '5+12i'],
  ['=IMDIV("1+i",0)', '#NUM!'],
  ['=IMDIV("5+12i","24i")', '0.5-0.208333333333333i'],
  // Saved by Excel, including the rounding error.
  [
    '=IMDIV("1.85021985907055+1.41787163074572j","0.556971676153418+0.426821890855467j")',
    '3.32192809488737-8.28846662730513E-15j',
  ],
  ['=IMSUM("1+i","1+j")', '#VALUE!'],
  ['=IMSUB("1+i","1+j")', '#NUM!'],
  ['=IMDIV("1+i","1+j")', '#NUM!'],
  ['=IMLOG2("3.1+2j")', '1.88329758086464+0.826615412942814j'],
  ['=IMARGUMENT(0)', '#DIV/0!'],
  ['=IMLN(0)', '#NUM!'],
  ['=IMPOWER(0,0)', '#NUM!'],
];

test.each(COMPLEX)('%s is %s', (formula, expected) => expect(evaluate(formula)).toBe(expected));

const COMPLEX_PARTS: [string, number, number][] = [
  ['IMEXP("1+i")', 1.46869393991589, 2.28735528717884],
  ['IMLN("3+4i")', 1.6094379124341, 0.927295218001612],
  ['IMLOG10("3+4i")', 0.698970004336019, 0.402719196273373],
  ['IMLOG2("3+4i")', 2.32192809488736, 1.33780421245098],
  ['IMPOWER("2+3i",3)', -46, 9],
  ['IMSQRT("1+i")', 1.09868411346781, 0.455089860562227],
  ['IMSIN("4+3i")', -7.61923172032141, -6.548120040911],
  ['IMCOS("1+i")', 0.833730025131149, -0.988897705762865],
  ['IMTAN("4+3i")', 0.00490825806749606, 1.00070953606723],
  ['IMSEC("4+3i")', -0.0652940278579471, -0.0752249603027732],
  ['IMCSC("4+3i")', -0.0754898329158637, 0.0648774713706355],
  ['IMCOT("4+3i")', 0.0049011823943045, -0.999266927805902],
  ['IMSINH("4+3i")', -27.0168132580039, 3.85373803791938],
  ['IMCOSH("4+3i")', -27.0349456030742, 3.85115333481178],
  ['IMSECH("4+3i")', -0.0362534969158689, -0.00516434460775318],
  ['IMCSCH("4+3i")', -0.036275889628626, -0.0051744731840194],
];

test.each(COMPLEX_PARTS)('%s is %f and %f', (text, re, im) => {
  expect(evaluate(`=IMREAL(${text})`)).toBeCloseTo(re, 10);
  expect(evaluate(`=IMAGINARY(${text})`)).toBeCloseTo(im, 10);
});

test('the tangent of a large imaginary number is its limit', () => {
  expect(evaluate('=IMTAN("1+800i")')).toBe('i');
});

const CONVERSIONS: [string, number | string][] = [
  ['CONVERT(1,"lbm","kg")', 0.45359237],
  ['CONVERT(68,"F","C")', 20],
  // Constants of 2006, as in values saved by Excel.
  ['CONVERT(1,"Yu","g")', 1.660538782],
  ['CONVERT(1,"EeV","J")', 0.1602176487],
  ['CONVERT(20,"C","fah")', 68],
  ['CONVERT(0,"C","K")', 273.15],
  ['CONVERT(491.67,"Rank","C")', 0],
  ['CONVERT(80,"Reau","C")', 100],
  ['CONVERT(1,"kK","K")', 1000],
  ['CONVERT(2.5,"ft","sec")', '#N/A'],
  ['CONVERT(100,"ft^2","m^2")', 9.290304],
  ['CONVERT(1,"km2","m2")', 1e6],
  ['CONVERT(1,"mi","km")', 1.609344],
  ['CONVERT(1,"gal","l")', 3.785411784],
  ['CONVERT(1,"m3","l")', 1000],
  ['CONVERT(1,"kibyte","bit")', 8192],
  ['CONVERT(1,"Mbyte","byte")', 1e6],
  ['CONVERT(1,"kft","ft")', '#N/A'],
  ['CONVERT(1,"day","hr")', 24],
  ['CONVERT(1,"HP","W")', 745.69987158227],
  ['CONVERT(1,"atm","Pa")', 101325],
  ['CONVERT(1,"kn","m/hr")', 1852],
  ['CONVERT(1,"dal","l")', 10],
  ['CONVERT(1,"LBM","kg")', '#N/A'],
  ['CONVERT(TRUE,"m","km")', '#VALUE!'],
];

test.each(CONVERSIONS)('%s is %s', (formula, expected) => {
  const result = evaluate(`=${formula}`);
  if (typeof expected === 'number') expect(result).toBeCloseTo(expected, 9);
  else expect(result).toBe(expected);
});

/** Saved by Excel, including inexact digits. */
const BESSEL: [string, number | string][] = [
  ['BESSELJ(0,0)', 1.00000000283141],
  ['BESSELJ(0.2,0)', 0.99002497457268746],
  ['BESSELJ(0.2,7)', 1.9816482028036027e-11],
  ['BESSELJ(10,1)', 4.3472249652254151e-2],
  ['BESSELJ(-0.5,1)', -0.24226845767957006],
  ['BESSELY(10,7)', 0.20102002353099924],
  ['BESSELY(2.9,1)', 0.29594005371826287],
  ['BESSELI(1.5,1)', 0.981666428],
  ['BESSELK(1.5,1)', 0.277387804],
  ['BESSELK(0,1)', '#NUM!'],
  ['BESSELY(1,-1)', '#NUM!'],
];

test.each(BESSEL)('%s is %s, as Excel has it', (formula, expected) => {
  const result = evaluate(`=${formula}`);
  if (typeof expected === 'number') expect(result).toBeCloseTo(expected, expected > 0.2773 && expected < 0.99 ? 9 : 12);
  else expect(result).toBe(expected);
});

test('the error function goes from 0 or between two limits', () => {
  expect(evaluate('=ERF(0.745)')).toBeCloseTo(0.707928920095737, 14);
  expect(evaluate('=ERF(0,1)')).toBeCloseTo(0.842700792949715, 14);
  expect(evaluate('=ERF(1,0)')).toBeCloseTo(-0.842700792949715, 14);
  expect(evaluate('=ERFC.PRECISE(1)')).toBeCloseTo(0.157299207050285, 14);
  expect(evaluate('=ERF.PRECISE(TRUE)')).toBe('#VALUE!');
});
