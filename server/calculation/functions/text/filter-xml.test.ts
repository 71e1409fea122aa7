import { describe, expect, it } from 'vitest';
import { evaluate } from '#server/calculation/testing/evaluate.ts';

const SPLIT = '"<t><s>"&SUBSTITUTE("ABC|123|DEF|456|XY-1A|ZY-2F|XY-3F|XY-4f|xyz|123","|","</s><s>")&"</s></t>"';
const SHOP =
  "\"<shop currency='EUR'><item id='1'><name>Pen &amp; ink</name><price>1.50</price></item>" +
  "<item id='2'><name>Book</name><price>12</price><note/></item></shop>\"";

/** Returns the result as a list. */
function found(xml: string, path: string): unknown {
  const result = evaluate(`=FILTERXML(${xml},"${path}")`);
  return Array.isArray(result) ? result.map(([value]) => value) : result;
}

describe('FILTERXML', () => {
  it.each([
    ['//s[1]', 'ABC'],
    ['//s[position()=4]', 456],
    ['//s[last()]', 123],
    ['//s[position() mod 2 = 1 and position() < 5]', ['ABC', 'DEF']],
    ["//s[.='ABC' or .='DEF']", ['ABC', 'DEF']],
    ["//s[starts-with(., 'XY')]", ['XY-1A', 'XY-3F', 'XY-4f']],
    ["//s[contains(., '-') and not(contains(., 'XY'))]", 'ZY-2F'],
    ['//s[.*0=0]', [123, 456, 123]],
    ['//s[number()=.]', [123, 456, 123]],
    ['//s[.>200]', 456],
    ['//s[not(.=preceding::*)][.*0=0]', [123, 456]],
    ['//s[.=following::*]', 123],
    ['//s[preceding::*[1]=123]', 'DEF'],
    ["//s[following-sibling::*[1]='DEF']", 123],
    ['//s[string-length()=5][2]', 'ZY-2F'],
    ["//s[substring(., string-length(.) - 1) = '1A']", 'XY-1A'],
    ["//s[translate(., 'abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ') = .][last() - 1]", 'XY-3F'],
    ["//s[substring-after(., '-') = '4f'] | //s[2]", [123, 'XY-4f']],
    ["//s[substring-before(., '-') = 'ZY']", 'ZY-2F'],
    ['t/s[count(preceding-sibling::*) >= 8]', ['xyz', 123]],
    ['(//s)[3]', 'DEF'],
    ['/t/s[floor(2.7)]', 123],
    ['//s[-1 + 2]', 'ABC'],
    // No nodes, and results that are not node sets.
    ['//x', '#VALUE!'],
    ['count(//s)', '#VALUE!'],
    ['//s[', '#VALUE!'],
    ['//s[foo()]', '#VALUE!'],
    ['//s[sum(1)]', '#VALUE!'],
    ['', '#VALUE!'],
  ])('%s', (path, expected) => expect(found(SPLIT, path)).toEqual(expected));

  it.each([
    ['/shop/item/name', ['Pen & ink', 'Book']],
    ['//item/@id', [1, 2]],
    ['/shop/@currency', 'EUR'],
    ["//item[@id='2']/price", 12],
    ["//name[.='Book']/../price", 12],
    ['//price[. < 5]/parent::item/name', 'Pen & ink'],
    ["//item[name='Book']/price/text()", 12],
    ['//item[price * 2 = 3]/@id', 1],
    ['//note', ''],
    ['//item[1]/*', ['Pen & ink', 1.5]],
    ['//*[local-name() = "name"][2]'.replaceAll('"', "'"), '#VALUE!'],
    ['(//*[name() = "name"])[2]'.replaceAll('"', "'"), 'Book'],
    ['//price[ancestor::shop][sum(//price) = 13.5]', [1.5, 12]],
    ['//item[descendant::note]/self::item/name', 'Book'],
    ["//item[concat(name, '-', @id) = 'Book-2']/@id", 2],
    ["//name[normalize-space() = 'Book' and true()]", 'Book'],
  ])('%s of a shop', (path, expected) => expect(found(SHOP, path)).toEqual(expected));

  it.each([
    ['=FILTERXML("<a><b>1</b>","//b")', '#VALUE!'],
    ['=FILTERXML("text","//b")', '#VALUE!'],
    ['=FILTERXML("<!DOCTYPE a [<!ENTITY e ""x"">]><a>&e;</a>","//a")', '#VALUE!'],
    ['=FILTERXML(NA(),"//a")', '#N/A'],
    ['=FILTERXML("<a>1</a>",REPT("(",500))', '#VALUE!'],
    ['=FILTERXML("<n:a xmlns:n=\'u\'>7</n:a>","//n:a")', 7],
    ['=SUM(FILTERXML("<a><b>1</b><b>2</b></a>","//b"))', 3],
  ])('%s', (formula, expected) => expect(evaluate(formula)).toEqual(expected));
});
