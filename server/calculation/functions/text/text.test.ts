import { describe, expect, it } from 'vitest';
import { evaluate, type Shown } from '#server/calculation/testing/evaluate.ts';

type Row = [formula: string, result: Shown | Shown[][]];

const SUBSTRINGS: Row[] = [
  ['LEFT("Sale Price",4)', 'Sale'],
  ['LEFT("Sweden")', 'S'],
  ['LEFT("abc",)', ''],
  ['LEFT("abc",-1)', '#VALUE!'],
  ['LEFT(12345.6,3)', '123'],
  ['RIGHT("Sale Price",5)', 'Price'],
  ['RIGHT("abc",9)', 'abc'],
  ['RIGHT("abc",0)', ''],
  ['MID("Fluid Flow",7,20)', 'Flow'],
  ['MID("Fluid Flow",20,5)', ''],
  ['MID("abc",0,1)', '#VALUE!'],
  ['MID("abc",1.9,1.9)', 'a'],
  ['LEN("   One   ")', 9],
  ['LEN(TRUE)', 4],
  ['LENB("abc")', 3],
  ['LEFTB("abc",2)', 'ab'],
  ['REPLACE("abcdefghijk",6,5,"*")', 'abcde*k'],
  ['REPLACE("2009",3,2,"10")', '2010'],
  ['REPLACE("abc",9,1,"x")', 'abcx'],
  ['FIND("M","Miriam McGovern")', 1],
  ['FIND("M","Miriam McGovern",3)', 8],
  ['FIND("m","MIRIAM")', '#VALUE!'],
  ['FIND("","abc")', 1],
  ['FIND("","abc",4)', 4],
  ['FIND("a","abc",5)', '#VALUE!'],
  ['SEARCH("e","Statements",6)', 7],
  ['SEARCH("margin","Profit Margin")', 8],
  ['SEARCH("ns??i","Einstein")', 3],
  ['SEARCH("~?","Late?")', 5],
  ['SEARCH("~d","My dear")', 4],
  ['SEARCH("~","Hello")', 1],
  ['SUBSTITUTE("Quarter 1, 2008","1","2",1)', 'Quarter 2, 2008'],
  ['SUBSTITUTE("Quarter 1, 2011","1","2",3)', 'Quarter 1, 2012'],
  ['SUBSTITUTE("a$b","$","$&")', 'a$&b'],
  ['SUBSTITUTE("abc","","x")', 'abc'],
  ['SUBSTITUTE("abc","b","x",0)', '#VALUE!'],
  ['REPT("*-",3)', '*-*-*-'],
  ['REPT("ab",16384)', '#VALUE!'],
  ['LEN(REPT("a",32767))', 32767],
  ['TRIM("  First   Quarter  ")', 'First Quarter'],
  ['EXACT("Word","word")', false],
];

const CHARACTERS: Row[] = [
  ['CHAR(65)&CHAR(128)&CHAR(153)', 'A€™'],
  ['CHAR(0)', '#VALUE!'],
  ['CHAR(256)', '#VALUE!'],
  ['CODE("€uro")', 128],
  ['CODE("Ω")', 63],
  ['CODE("")', '#VALUE!'],
  ['UNICHAR(128512)', '😀'],
  ['UNICHAR(55296)', '#N/A'],
  ['UNICHAR(0)', '#VALUE!'],
  ['UNICODE("😀")', 128512],
  ['UPPER("straße")', 'STRAßE'],
  ['LOWER("ÄÖÜ")', 'äöü'],
  ['PROPER("this is a TITLE")', 'This Is A Title'],
  ['PROPER("2-way street\'s 76BudGet")', "2-Way Street'S 76Budget"],
  ['CLEAN(CHAR(9)&"Monthly report"&CHAR(10))', 'Monthly report'],
  ['ASC("ＥＸＣＥＬ　ガ")', 'EXCEL ｶﾞ'],
  ['DBCS("EXCEL ｶﾞ")', 'EXCEL ｶﾞ'],
  ['ENCODEURL("a b&c=ü(1)")', 'a%20b%26c%3D%C3%BC%281%29'],
];

const NUMBERS: Row[] = [
  ['TEXT(1234.567,"$#,##0.00")', '$1,234.57'],
  ['TEXT(0.285,"0.0%")', '28.5%'],
  ['TEXT("4/1/2020","mmmm d, yyyy")', 'April 1, 2020'],
  ['TEXT("abc","0")', 'abc'],
  ['TEXT(TRUE,"0")', 'TRUE'],
  ['TEXT(5,"")', ''],
  ['TEXT(A1,"0.0")', '0.0'],
  ['VALUE("$1,000")', 1000],
  ['VALUE("16:48:00")', 0.7],
  ['VALUE("")', '#VALUE!'],
  ['VALUE(TRUE)', '#VALUE!'],
  ['VALUE(A1)', 0],
  ['FIXED(1234.567,1)', '1,234.6'],
  ['FIXED(1234.567,-1)', '1,230'],
  ['FIXED(-1234.567,-1,TRUE)', '-1230'],
  ['FIXED(44.332)', '44.33'],
  ['FIXED(1,128)', '#VALUE!'],
  ['DOLLAR(1234.567,2)', '$1,234.57'],
  ['DOLLAR(-1234.567,-2)', '($1,200)'],
  ['DOLLAR(-0.123,4)', '($0.1230)'],
  ['DOLLAR(99.888)', '$99.89'],
  // Parentheses mean a negative number.
  ['NUMBERVALUE("(2.500,27)",",",".")', -2500.27],
  ['NUMBERVALUE("(,25,,0,0.27E + 6%)%",".",",.,")', -250027],
  ['NUMBERVALUE("(-1)")', '#VALUE!'],
  ['NUMBERVALUE("2.500,27",",",".")', 2500.27],
  ['NUMBERVALUE("3.5%")', 0.035],
  ['NUMBERVALUE("9%%")', 0.0009],
  ['NUMBERVALUE(" 3 000 ")', 3000],
  ['NUMBERVALUE("")', 0],
  ['NUMBERVALUE("1.5.2")', '#VALUE!'],
  ['NUMBERVALUE("1.5,2")', '#VALUE!'],
  ['BAHTTEXT(1234)', 'หนึ่งพันสองร้อยสามสิบสี่บาทถ้วน'],
  ['BAHTTEXT(-21.5)', 'ลบยี่สิบเอ็ดบาทห้าสิบสตางค์'],
  ['BAHTTEXT(0)', 'ศูนย์บาทถ้วน'],
];

const JOINS: Row[] = [
  ['CONCATENATE("Stream for ",1.5," ",TRUE)', 'Stream for 1.5 TRUE'],
  ['CONCAT(B1:C2,"!")', '1xTRUE2!'],
  ['CONCAT(B1,#N/A)', '#N/A'],
  ['TEXTJOIN(", ",TRUE,B1:C3)', '1, x, TRUE, 2'],
  ['TEXTJOIN("-",FALSE,B1:C3)', '1-x-TRUE-2--'],
  ['TEXTJOIN("-",,B1:C3)', '1-x-TRUE-2'],
  ['TEXTJOIN("-",Z9,"a","","b")', 'a--b'],
  ['TEXTJOIN({"-","/"},TRUE,1,2,3,4)', '1-2/3-4'],
  ['TEXTJOIN(",",TRUE,REPT("a",32767),"b")', '#VALUE!'],
  ['ARRAYTOTEXT(B1:C2)', '1, x, TRUE, 2'],
  ['ARRAYTOTEXT(B1:C2,1)', '{1,"x";TRUE,2}'],
  ['ARRAYTOTEXT(B1:C2,2)', '#VALUE!'],
  ['VALUETOTEXT("a""b",1)', '"a""b"'],
  ['VALUETOTEXT(#DIV/0!)', '#DIV/0!'],
  ['T("x")&T(1)&T(TRUE)', 'x'],
  ['T(#N/A)', '#N/A'],
  ['PHONETIC(C1)', '#N/A'],
];

const SPLITS: Row[] = [
  ['TEXTSPLIT("Dakota Lennon Sanchez"," ")', [['Dakota', 'Lennon', 'Sanchez']]],
  [
    'TEXTSPLIT("1,2,3;4,5,6",",",";")',
    [
      ['1', '2', '3'],
      ['4', '5', '6'],
    ],
  ],
  [
    'TEXTSPLIT("a=1;b","=",";")',
    [
      ['a', '1'],
      ['b', '#N/A'],
    ],
  ],
  [
    'TEXTSPLIT("a=1;b","=",";",,,)',
    [
      ['a', '1'],
      ['b', '#N/A'],
    ],
  ],
  [
    'TEXTSPLIT("a=1;b","=",";",,,"-")',
    [
      ['a', '1'],
      ['b', '-'],
    ],
  ],
  ['TEXTSPLIT("Do. Or do not.",{"."," "})', [['Do', '', 'Or', 'do', 'not', '']]],
  ['TEXTSPLIT("Do. Or do not.",{"."," "},,TRUE)', [['Do', 'Or', 'do', 'not']]],
  ['TEXTSPLIT("a;b",,";")', [['a'], ['b']]],
  ['TEXTSPLIT("aXbxc","x",,,1)', [['a', 'b', 'c']]],
  ['TEXTSPLIT("abc","")', '#VALUE!'],
  ['TEXTSPLIT(",",",",,TRUE)', '#CALC!'],
  ['TEXTBEFORE("Red riding hood\'s, red hood","hood")', 'Red riding '],
  ['TEXTBEFORE("a-b-c","-",2)', 'a-b'],
  ['TEXTBEFORE("a-b-c","-",-1)', 'a-b'],
  ['TEXTBEFORE("a-b-c","-",3)', '#N/A'],
  ['TEXTBEFORE("a-b-c","-",0)', '#VALUE!'],
  ['TEXTBEFORE("a-b-c","x",,,,"none")', 'none'],
  // An empty optional argument counts as omitted, as in the examples of Microsoft's page.
  ['TEXTBEFORE("Marcus Aurelius"," ",,,1)', 'Marcus'],
  ['TEXTBEFORE("Socrates"," ",,,0)', '#N/A'],
  ['TEXTBEFORE("Socrates"," ",,,1)', 'Socrates'],
  ['TEXTBEFORE("madonna "," ",,,1)', 'madonna'],
  ['TEXTBEFORE("a","long",,,1)', 'a'],
  ['TEXTBEFORE("a","long",1,,1)', '#VALUE!'],
  ['TEXTBEFORE("a-b-c","x",1,,,)', '#N/A'],
  ['TEXTBEFORE("a-b-c","-",Z9)', '#VALUE!'],
  ['TEXTAFTER("Marcus Aurelius"," ",,1)', 'Aurelius'],
  ['TEXTAFTER("Socrates"," ",,,1)', ''],
  ['TEXTBEFORE("a-b-c","x",1,,,"none")', 'none'],
  ['TEXTBEFORE("a-b-c","x",1,,1)', 'a-b-c'],
  ['TEXTBEFORE("a-b-c","-",1,,,1/0)', 'a'],
  ['TEXTBEFORE("abc","")', ''],
  ['TEXTAFTER("a-b-c","-")', 'b-c'],
  ['TEXTAFTER("a-b-c","-",-2)', 'b-c'],
  ['TEXTAFTER("a-b-c","-",-1.2)', 'b-c'],
  ['TEXTAFTER("a-b-c","-",1.8)', 'b-c'],
  ['TEXTAFTER("aXbxc","x",2,1)', 'c'],
  ['TEXTAFTER("a.b-c",{"-","."})', 'b-c'],
  ['TEXTAFTER("abc","")', 'abc'],
];

const REGEX: Row[] = [
  ['REGEXTEST("alfalfa","A")', false],
  ['REGEXTEST("alfalfa","A",1)', true],
  ['REGEXTEST("alfalfa","(")', '#VALUE!'],
  ['REGEXTEST("a","a",2)', '#VALUE!'],
  ['REGEXEXTRACT("DylanWilliams","[A-Z][a-z]+",1)', [['Dylan', 'Williams']]],
  ['REGEXEXTRACT("Sonia (378) 555-4195","\\((\\d+)\\) (\\d+)-(\\d+)",2)', [['378', '555', '4195']]],
  ['REGEXEXTRACT("abc","\\d")', '#N/A'],
  ['REGEXREPLACE("SoniaBrown","([A-Z][a-z]+)([A-Z][a-z]+)","$2, $1")', 'Brown, Sonia'],
  ['REGEXREPLACE("a1b2c3","\\d","#",-1)', 'a1b2c#'],
  ['REGEXREPLACE("a1b2c3","\\d","#",2)', 'a1b#c3'],
  ['REGEXREPLACE("abc","b","$1")', '#VALUE!'],
  ['REGEXREPLACE("12.5","(?<n>\\d+)\\.","${n},$$")', '12,$5'],
  ['REGEXTEST(REPT("a",40)&"b","(a+)+$")', '#VALUE!'],
];

const CELLS = { B1: 1, C1: 'x', B2: true, C2: 2 };

describe('functions on texts', () => {
  for (const [title, rows] of Object.entries({ PIECES: SUBSTRINGS, CHARACTERS, NUMBERS, JOINS, SPLITS, REGEX })) {
    it.each(rows)(`${title.toLowerCase()}: %s`, (formula, result) => {
      expect(evaluate(`=${formula}`, CELLS, { at: 'Z100' })).toEqual(result);
    });
  }

  it('honours the date system of the book', () => {
    expect(evaluate('=TEXT(0,"yyyy-mm-dd")', {}, { date1904: true })).toBe('1904-01-01');
    expect(evaluate('=TEXT("2020-01-01","yyyy")', {}, { date1904: true })).toBe('2020');
    expect(evaluate('=VALUE("1904-01-02")', {}, { date1904: true })).toBe(1);
  });
});
