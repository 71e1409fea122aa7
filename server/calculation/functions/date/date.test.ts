import { describe, expect, it } from 'vitest';
import { fromSerial } from '#shared/codecs/serial-date.ts';
import { evaluate, type Shown } from '#server/calculation/testing/evaluate.ts';
import { calendarDay, LAST_DAY, serialOfDay } from './calendar.ts';

type Row = [formula: string, result: Shown | Shown[][]];

const PARTS: Row[] = [
  ['DATE(2008,1,2)', 39449],
  ['DATE(108,1,2)', 39449],
  ['DATE(2008,14,2)', 39846],
  ['DATE(2008,-3,2)', 39327],
  ['DATE(2008,1,35)', 39482],
  ['DATE(2008,1,-15)', 39432],
  ['DATE(1900,2,29)', 60],
  ['DATE(1900,3,0)', 60],
  ['DATE(1900,3,1)', 61],
  ['DATE(1900,1,0)', 0],
  ['DATE(9999,13,-1)', '#NUM!'],
  ['DATE(10000,1,1)', '#NUM!'],
  ['DATE(-1,1,1)', '#NUM!'],
  ['DATE(0,0,1)', '#NUM!'],
  ['TIME(12,0,0)', 0.5],
  ['TIME(27,0,0)', 0.125],
  ['TIME(0,750,0)', 750 / 1440],
  ['TIME(0,0,-1)', '#NUM!'],
  ['TIME(32768,0,0)', '#NUM!'],
  ['YEAR("7/5/2010")', 2010],
  ['YEAR(0)*10000+MONTH(0)*100+DAY(0)', 19000100],
  ['MONTH(60)*100+DAY(60)', 229],
  ['YEAR(-1)', '#NUM!'],
  ['YEAR(2958466)', '#NUM!'],
  ['DAY("x")', '#VALUE!'],
  ['HOUR(0.75)', 18],
  ['HOUR("7/18/2011 7:45")', 7],
  ['MINUTE("12:45:00 PM")', 45],
  ['SECOND("4:48:18 PM")', 18],
  ['SECOND(1.0000058)', 1],
  ['HOUR(0.9999999)', 0],
  ['WEEKDAY("2/14/2008")', 5],
  ['WEEKDAY("2/14/2008",2)', 4],
  ['WEEKDAY("2/14/2008",3)', 3],
  ['WEEKDAY("2/14/2008",16)', 6],
  ['WEEKDAY("2/14/2008",4)', '#NUM!'],
  ['WEEKDAY(1)', 1],
  ['WEEKDAY(0)', 7],
  ['WEEKNUM("3/9/2012")', 10],
  ['WEEKNUM("3/9/2012",2)', 11],
  ['WEEKNUM("1/1/2021",21)', 53],
  ['WEEKNUM("1/1/2021",3)', '#NUM!'],
  ['WEEKNUM(TRUE)', '#VALUE!'],
  ['ISOWEEKNUM("3/9/2012")', 10],
  ['ISOWEEKNUM("12/31/2018")', 1],
  ['ISOWEEKNUM(1)', 52],
  ['EDATE("1/15/2011",1)', 40589],
  ['EDATE("1/31/2011",1)', 40602],
  ['EDATE("1/31/2011",-1.9)', 40543],
  ['EDATE(1,-1)', '#NUM!'],
  ['EDATE(TRUE,1)', '#VALUE!'],
  ['EOMONTH("1/1/2011",1)', 40602],
  ['EOMONTH("1/1/2011",-3)', 40482],
  ['EOMONTH(1,1)', 60],
  ['EOMONTH("12/1/9999",1)', '#NUM!'],
  ['DATEVALUE("8/22/2011")', 40777],
  ['DATEVALUE("22-AUG-2011 6:35 AM")', 40777],
  ['DATEVALUE("10:30")', 0],
  ['DATEVALUE(43831)', '#VALUE!'],
  ['TIMEVALUE("2:24 AM")', 0.1],
  ['TIMEVALUE(" 2:24 ")', 0.1],
  ['TIMEVALUE("22-Aug-2011 12:00")', 0.5],
  ['TIMEVALUE("25:00")', 1 / 24],
  ['TIMEVALUE("x")', '#VALUE!'],
  ['TODAY()=INT(NOW())', true],
];

const DIFFERENCES: Row[] = [
  ['DATEDIF("1/1/2001","1/1/2003","Y")', 2],
  ['DATEDIF("6/1/2001","8/15/2002","D")', 440],
  ['DATEDIF("6/1/2001","8/15/2002","YD")', 75],
  ['DATEDIF("6/1/2001","8/15/2002","ym")', 2],
  ['DATEDIF("6/1/2001","8/15/2002","MD")', 14],
  ['DATEDIF("1/31/2011","2/28/2011","M")', 0],
  ['DATEDIF("1/31/2014","3/1/2014","MD")', -2],
  ['DATEDIF("2/1/2001","1/1/2001","D")', '#NUM!'],
  ['DATEDIF("1/1/2001","2/1/2001","W")', '#NUM!'],
  ['DAYS("3/15/2011","1/31/2011")', 43],
  ['DAYS(5,10)', -5],
  ['DAYS(-5,10)', '#NUM!'],
  ['DAYS360("1/30/2011","2/1/2011")', 1],
  ['DAYS360("1/1/2011","12/31/2011")', 360],
  ['DAYS360("1/1/2011","12/31/2011",TRUE)', 359],
  ['DAYS360("2/28/2011","3/31/2011")', 30],
  ['DAYS360("1/1/2011","2/1/2011")', 30],
  ['DAYS360(45992.000001,46000.999999)', 9],
  ['YEARFRAC("1/1/2012","7/30/2012")', 0.5805555555555556],
  ['YEARFRAC(1/0,200,5)', '#NUM!'],
  ['YEARFRAC(1/0,200,"x")', '#VALUE!'],
  ['YEARFRAC(1/0,200,1)', '#DIV/0!'],
  ['YEARFRAC("1/1/2012","7/30/2012",1)', 211 / 366],
  ['YEARFRAC("1/1/2012","7/30/2012",3)', 211 / 365],
  ['YEARFRAC("7/30/2012","1/1/2012",2)', 211 / 360],
  ['YEARFRAC("1/1/2012","7/30/2012",4)', 209 / 360],
  ['YEARFRAC("1/1/2000","1/1/2003",1)', 1096 / (1461 / 4)],
  ['YEARFRAC("2/28/2011","2/29/2012")', 1],
  ['YEARFRAC(1,2,5)', '#NUM!'],
];

const WORKDAYS: Row[] = [
  ['NETWORKDAYS("10/1/2012","3/1/2013")', 110],
  ['NETWORKDAYS("10/1/2012","3/1/2013",A1)', 109],
  ['NETWORKDAYS("10/1/2012","3/1/2013",A1:A4)', 107],
  ['NETWORKDAYS("3/1/2013","10/1/2012")', -110],
  ['NETWORKDAYS("10/1/2012","3/1/2013",{"11/22/2012","11/22/2012"})', 109],
  ['NETWORKDAYS("10/1/2012","3/1/2013","x")', '#VALUE!'],
  ['NETWORKDAYS(TRUE,5)', '#VALUE!'],
  ['NETWORKDAYS.INTL("1/1/2006","1/31/2006")', 22],
  ['NETWORKDAYS.INTL("2/28/2006","1/31/2006")', -21],
  ['NETWORKDAYS.INTL("1/1/2006","2/1/2006",7,{"1/2/2006","1/16/2006"})', 22],
  ['NETWORKDAYS.INTL("1/1/2006","2/1/2006","0010001",{"1/2/2006","1/16/2006"})', 20],
  ['NETWORKDAYS.INTL(1,100,"1111111")', 0],
  ['NETWORKDAYS.INTL(1,100,8)', '#NUM!'],
  ['NETWORKDAYS.INTL(1,100,"001000")', '#VALUE!'],
  ['WORKDAY("10/1/2008",151)', 39933],
  ['WORKDAY("10/1/2008",151,{"11/26/2008","12/4/2008","1/21/2009"})', 39938],
  ['WORKDAY("1/3/2026",5)', 46031],
  ['WORKDAY("1/3/2026",-1)', 46024],
  ['WORKDAY("1/3/2026",0)', 46025],
  ['WORKDAY.INTL("1/1/2012",30,0)', '#NUM!'],
  ['WORKDAY.INTL("1/1/2012",90,11)', 41013],
  ['TEXT(WORKDAY.INTL("1/1/2012",30,17),"m/dd/yyyy")', '2/05/2012'],
  ['WORKDAY.INTL(40000,5,"1111111")', '#VALUE!'],
  ['WORKDAY(1,-5)', '#NUM!'],
  ['WORKDAY(40000,99999999)', '#NUM!'],
];

// The fourth holiday is a Saturday.
const HOLIDAYS = { A1: 41235, A2: 41247, A3: 41295, A4: 41237 };

describe('functions on dates', () => {
  for (const [title, rows] of Object.entries({ PARTS, DIFFERENCES, WORKDAYS })) {
    it.each(rows)(`${title.toLowerCase()}: %s`, (formula, result) => {
      const found = evaluate(`=${formula}`, HOLIDAYS);
      if (typeof result === 'number') expect(found).toBeCloseTo(result, 12);
      else expect(found).toEqual(result);
    });
  }

  it.each<Row>([
    ['DATE(1904,1,2)', 1],
    ['DATE(1903,12,31)', '#NUM!'],
    ['YEAR(0)', 1904],
    ['WEEKDAY(0)', 6],
    ['DATEVALUE("1/1/1905")', 366],
    ['MONTH("2/1/2020")', 2],
    ['EOMONTH(0,0)', 30],
    ['WORKDAY(0,1)', 3],
    ['WORKDAY(0,1,"1/4/1904")', 4],
    ['"1/15/2024"+0', 43844],
    ['SUM("1/15/2024",1)', 43845],
    ['TEXT("1/15/2024"*1,"yyyy-mm-dd")', '2024-01-15'],
  ])('1904 books: %s', (formula, result) => {
    expect(evaluate(`=${formula}`, {}, { date1904: true })).toBe(result);
  });

  it('returns the same day as the calendar of the codecs, and back, for every serial of a century and the ends', () => {
    const check = (serial: number): void => {
      const { year, month, day } = fromSerial(serial)!;
      expect(calendarDay(serial)).toEqual({ year, month, day });
      expect(serialOfDay(year, month, day)).toBe(serial);
    };
    for (let serial = 0; serial < 37_000; serial += 1) check(serial);
    for (let serial = LAST_DAY - 1500; serial <= LAST_DAY; serial += 1) check(serial);
  });
});
