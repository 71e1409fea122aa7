/** Coupon dates. Source: Microsoft, 'COUPDAYBS function' and related functions. */
import type { CellError } from '#server/calculation/values/cell-value.ts';
import { NUM_ERROR } from '#server/calculation/values/coerce.ts';
import { bookDay } from '../date/calendar.ts';
import type { CallContext, FunctionDefinition } from '../function.ts';
import { couponDates, couponDays, americanDays, daysBetween, type CouponDates } from '../date/day-count.ts';
import { security } from './security.ts';

interface Settlement {
  settlement: number;
  frequency: number;
  basis: number;
}

type Answer = (coupons: CouponDates, at: Settlement, context: CallContext) => number | CellError;

function coupon(name: string, answer: Answer): FunctionDefinition {
  return security(name, 'ddfb', (args, context) => {
    const [settlement, maturity, frequency, basis] = args as [number, number, number, number];
    if (settlement >= maturity) return NUM_ERROR;
    return answer(couponDates(settlement, maturity, frequency), { settlement, frequency, basis }, context);
  });
}

export const couponFunctions: FunctionDefinition[] = [
  coupon('COUPDAYBS', ({ previous }, { settlement, basis }) => daysBetween(previous, settlement, basis)),
  coupon('COUPDAYS', (coupons, { frequency, basis }) => couponDays(coupons, frequency, basis)),
  coupon('COUPDAYSNC', ({ previous, next }, { settlement, basis }) =>
    basis === 0
      ? americanDays(previous, next, true) - americanDays(previous, settlement)
      : daysBetween(settlement, next, basis),
  ),
  coupon('COUPNCD', ({ next }, _, context) => bookDay(next, context)),
  coupon('COUPPCD', ({ previous }, _, context) => bookDay(previous, context)),
  coupon('COUPNUM', ({ count }) => count),
];
