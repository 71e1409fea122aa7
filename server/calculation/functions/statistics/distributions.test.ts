import { expect, test } from 'vitest';
import { evaluate } from '#server/calculation/testing/evaluate.ts';

/** Calculated with 40 digits by mpmath, an independent library, from the definitions of the distributions. */
const REFERENCES: [string, number][] = [
  ['=NORM.S.DIST(-8.25,TRUE)', 7.919726314642477e-17],
  ['=NORM.S.DIST(1.5,TRUE)', 0.9331927987311419],
  ['=NORM.S.DIST(-30,TRUE)', 4.906713927148187e-198],
  ['=NORM.S.DIST(5.5,FALSE)', 1.0769760042543276e-7],
  ['=NORM.S.INV(0.0078125)', -2.4175590162365053],
  ['=NORM.S.INV(0.49609375)', -0.009791673161345346],
  ['=NORM.S.INV(2^-60)', -8.773321169027552],
  ['=NORM.DIST(42,40,1.5,TRUE)', 0.9087887802741321],
  ['=LOGNORM.DIST(4,3.5,1.25,TRUE)', 0.04542179044757704],
  ['=LOGNORM.DIST(4,3.5,1.25,FALSE)', 0.019100191180191902],
  ['=ERF(0.75)', 0.7111556336535151],
  ['=ERFC(1.125)', 0.11161176829829224],
  ['=ERFC(5)', 1.537459794428035e-12],
  ['=GAMMALN(0.25)', 1.2880225246980774],
  ['=GAMMALN(1.0625)', -0.03295710029357782],
  ['=GAMMALN(2.0625)', 0.027667521522857022],
  ['=GAMMALN(4.5)', 2.4537365708424423],
  ['=GAMMALN(1000.5)', 5908.674175848678],
  ['=GAMMA(2.5)', 1.329340388179137],
  ['=GAMMA(-3.75)', 0.2678661288614166],
  ['=GAMMA(120.5)', 6.100294974024006e197],
  ['=CHISQ.DIST(0.5,1,TRUE)', 0.5204998778130465],
  ['=CHISQ.DIST.RT(18.25,10)', 0.05089010546780353],
  ['=CHISQ.DIST.RT(250,100)', 7.766936403539178e-15],
  ['=CHISQ.DIST(3,4,FALSE)', 0.16734762011132237],
  ['=CHISQ.INV(0.9375,1)', 3.469770009908153],
  ['=CHISQ.INV.RT(0.03125,7)', 15.395584975855638],
  ['=GAMMA.DIST(10.5,9,2,TRUE)', 0.08564143408536089],
  ['=GAMMA.DIST(10.5,9,2,FALSE)', 0.0375558744170358],
  ['=GAMMA.DIST(0.125,0.5,2,FALSE)', 1.0600141293761143],
  ['=GAMMA.INV(0.0625,9,2)', 9.823984254736349],
  ['=BETA.DIST(0.4375,8,10,TRUE)', 0.4837157700626941],
  ['=BETA.DIST(2,8,10,FALSE,1,3)', 1.4837646484375],
  ['=BETA.INV(0.6875,8,10,1,3)', 2.001369630912218],
  ['=BETA.DIST(0.96875,200,5.5,TRUE)', 0.30380517697704873],
  ['=T.DIST.RT(60,1)', 0.005304673632623271],
  ['=T.DIST.RT(2.5,5)', 0.02724504967118812],
  ['=T.DIST.RT(0.125,30)', 0.450678713938546],
  ['=T.DIST.RT(6,1000)', 1.3776845866887345e-9],
  ['=T.DIST.RT(2.326347874040841,1E10)', 0.010000000009938784],
  ['=T.DIST(-3,4,TRUE)', 0.019970984035859413],
  ['=T.DIST.2T(1.9599999904632568,60)', 0.054644930878037484],
  ['=T.DIST(8,3,FALSE)', 0.0007369065209469263],
  ['=T.DIST(0.5,5000,FALSE)', 0.3520400231617696],
  ['=T.INV.2T(0.0625,10)', 2.0959613647510933],
  ['=T.INV(0.75,2)', 0.816496580927726],
  ['=T.INV.2T(2^-30,3)', 1332.8765030400673],
  ['=F.DIST.RT(15.25,6,4)', 0.009947419388007332],
  ['=F.DIST(15.25,6,4,TRUE)', 0.9900525806119926],
  ['=F.DIST(15.25,6,4,FALSE)', 0.0012141652788122954],
  ['=F.INV.RT(0.0078125,6,4)', 17.353597071159918],
  ['=F.INV(0.0078125,6,4)', 0.09902204841506779],
  ['=BINOM.DIST(60,1000,0.0625,FALSE)', 0.050258378444175654],
  ['=BINOM.DIST(60,1000,0.0625,TRUE)', 0.40385239529923783],
  ['=BINOM.DIST.RANGE(60,0.75,45,50)', 0.5236297934718872],
  ['=NEGBINOM.DIST(10,5,0.25,TRUE)', 0.3135140584781766],
  ['=NEGBINOM.DIST(10,5,0.25,FALSE)', 0.05504866037517786],
  ['=POISSON.DIST(2,5,TRUE)', 0.12465201948308113],
  ['=POISSON.DIST(150,120.5,FALSE)', 0.0011446654022201823],
  ['=HYPGEOM.DIST(3,40,50,2000,FALSE)', 0.059770048233902605],
  ['=HYPGEOM.DIST(1,4,8,20,TRUE)', 0.46542827657378744],
  ['=WEIBULL.DIST(105,20,100,TRUE)', 0.9295813900692768],
  ['=EXPON.DIST(0.125,10,TRUE)', 0.7134952031398099],
  ['=GAUSS(2)', 0.4772498680518208],
];

test.each(REFERENCES)('%s agrees with the reference to 13 digits', (formula, expected) => {
  const result = evaluate(formula) as number;
  expect(Math.abs(result - expected)).toBeLessThanOrEqual(1e-13 * Math.abs(expected));
});

const OLD_NAMES: [string, string][] = [
  ['NORMDIST(1,2,3,TRUE)', 'NORM.DIST(1,2,3,TRUE)'],
  ['NORMINV(0.3,2,3)', 'NORM.INV(0.3,2,3)'],
  ['NORMSDIST(0.3)', 'NORM.S.DIST(0.3,TRUE)'],
  ['LOGNORMDIST(4,3.5,1.2)', 'LOGNORM.DIST(4,3.5,1.2,TRUE)'],
  ['LOGINV(0.3,3.5,1.2)', 'LOGNORM.INV(0.3,3.5,1.2)'],
  ['TDIST(1.5,9,1)', 'T.DIST.RT(1.5,9)'],
  ['TDIST(1.5,9,2)', 'T.DIST.2T(1.5,9)'],
  ['TINV(0.1,9)', 'T.INV.2T(0.1,9)'],
  ['CHIDIST(3,4)', 'CHISQ.DIST.RT(3,4)'],
  ['CHIINV(0.2,4)', 'CHISQ.INV.RT(0.2,4)'],
  ['FDIST(3,4,5)', 'F.DIST.RT(3,4,5)'],
  ['FINV(0.2,4,5)', 'F.INV.RT(0.2,4,5)'],
  ['BETADIST(0.3,2,3)', 'BETA.DIST(0.3,2,3,TRUE)'],
  ['BETAINV(0.3,2,3)', 'BETA.INV(0.3,2,3)'],
  ['GAMMADIST(3,2,1,TRUE)', 'GAMMA.DIST(3,2,1,TRUE)'],
  ['GAMMAINV(0.3,2,1)', 'GAMMA.INV(0.3,2,1)'],
  ['BINOMDIST(3,9,0.3,TRUE)', 'BINOM.DIST(3,9,0.3,TRUE)'],
  ['CRITBINOM(9,0.3,0.4)', 'BINOM.INV(9,0.3,0.4)'],
  ['NEGBINOMDIST(3,2,0.3)', 'NEGBINOM.DIST(3,2,0.3,FALSE)'],
  ['HYPGEOMDIST(1,4,8,20)', 'HYPGEOM.DIST(1,4,8,20,FALSE)'],
  ['POISSON(2,5,FALSE)', 'POISSON.DIST(2,5,FALSE)'],
  ['WEIBULL(105,20,100,FALSE)', 'WEIBULL.DIST(105,20,100,FALSE)'],
  ['EXPONDIST(0.2,10,FALSE)', 'EXPON.DIST(0.2,10,FALSE)'],
  ['CONFIDENCE(0.05,2.5,50)', 'CONFIDENCE.NORM(0.05,2.5,50)'],
];

test.each(OLD_NAMES)('%s is %s under its old name', (old, current) => {
  expect(evaluate(`=${old}-${current}`)).toBe(0);
  expect(evaluate(`=${old}`)).toBeGreaterThan(0);
});

const ROUND_TRIPS = [
  'CHISQ.DIST(CHISQ.INV(p,0.5+10),10,TRUE)',
  'CHISQ.DIST.RT(CHISQ.INV.RT(p,3),3)',
  'F.DIST(F.INV(p,3,200),3,200,TRUE)',
  'F.DIST.RT(F.INV.RT(p,30,1),30,1)',
  'T.DIST(T.INV(p,7),7,TRUE)',
  'T.DIST.2T(T.INV.2T(p,1),1)',
  'BETA.DIST(BETA.INV(p,0.3,5),0.3,5,TRUE)',
  'GAMMA.DIST(GAMMA.INV(p,0.2,3),0.2,3,TRUE)',
  'NORM.DIST(NORM.INV(p,5,2),5,2,TRUE)',
  'LOGNORM.DIST(LOGNORM.INV(p,1,0.5),1,0.5,TRUE)',
];

test.each(ROUND_TRIPS)('%s is p again', (text) => {
  for (const p of [1e-12, 0.001, 0.1, 0.3, 0.5, 0.7, 0.9, 0.999]) {
    const result = evaluate(`=LET(p,${p},${text})`) as number;
    expect(Math.abs(result / p - 1)).toBeLessThan(1e-12);
  }
});

const EDGES: [string, number | string][] = [
  ['=NORM.DIST(1,2,0,TRUE)', '#NUM!'],
  ['=NORM.S.INV(0)', '#NUM!'],
  ['=NORM.S.INV(1)', '#NUM!'],
  ['=NORM.S.INV(0.5)', 0],
  ['=LOGNORM.DIST(0,1,1,TRUE)', '#NUM!'],
  ['=T.DIST(1,0.5,TRUE)', '#NUM!'],
  ['=T.DIST(1,0,FALSE)', '#DIV/0!'],
  ['=T.DIST.2T(-1,5)', '#NUM!'],
  ['=TDIST(1,5,3)', '#NUM!'],
  ['=T.INV.2T(1,5)', 0],
  ['=T.INV(1,5)', '#NUM!'],
  ['=CHISQ.DIST(-1,5,TRUE)', '#NUM!'],
  ['=CHISQ.INV(0,5)', 0],
  ['=CHISQ.INV(1,5)', '#NUM!'],
  ['=F.INV.RT(0,3,4)', '#NUM!'],
  ['=GAMMA(0)', '#NUM!'],
  ['=GAMMA(-2)', '#NUM!'],
  ['=GAMMA(6)', 120],
  ['=GAMMALN(0)', '#NUM!'],
  ['=GAMMALN(1)', 0],
  ['=GAMMALN(2)', 0],
  ['=BETA.DIST(4,2,3,TRUE,1,3)', '#NUM!'],
  ['=BETA.INV(1,2,3)', '#NUM!'],
  ['=BINOM.DIST(6,10,0.5,FALSE)', 0.205078125],
  ['=BINOM.DIST(11,10,0.5,FALSE)', '#NUM!'],
  ['=BINOM.INV(6,0.5,0.75)', 4],
  ['=BINOM.INV(2,0.5,0.75)', 1],
  ['=BINOM.INV(10,0.5,0)', '#NUM!'],
  ['=BINOM.DIST.RANGE(3,0.5,1)', 0.375],
  ['=NEGBINOM.DIST(1,2,1,TRUE)', '#NUM!'],
  ['=POISSON.DIST(-0.5,1,TRUE)', '#NUM!'],
  ['=HYPGEOM.DIST(5,4,8,20,FALSE)', '#NUM!'],
  ['=WEIBULL.DIST(1,0,1,TRUE)', '#NUM!'],
  ['=EXPON.DIST(-1,1,TRUE)', '#NUM!'],
  ['=NORM.DIST("x",0,1,TRUE)', '#VALUE!'],
  ['=NORM.DIST(1/0,0,1,TRUE)', '#DIV/0!'],
  // Arguments are checked from left to right: a text comes before an error further right.
  ['=NORM.DIST("",1/0,1/0,TRUE)', '#VALUE!'],
  ['=NORM.DIST(1,1/0,"x",TRUE)', '#DIV/0!'],
  ['=FISHER(1)', '#NUM!'],
  ['=STANDARDIZE(42,40,1.5)', 4 / 3],
];

test.each(EDGES)('%s is %s', (formula, expected) => {
  expect(evaluate(formula)).toBe(expected);
});
