import fc from 'fast-check';
import { SaxesParser } from 'saxes';
import { describe, expect, it } from 'vitest';
import { rounds } from '#test/support/test-set.ts';
import { WorkbookFileError } from './workbook-file-error.ts';
import { XmlScanner, XmlToken } from './xml-scanner.ts';
import { encodeExcelEscapes, escapeAttribute, escapeXml } from '#shared/codecs/xml-escapes.ts';
import { decodeExcelEscapes, encodeUtf8, toUtf8 } from './xml-text.ts';

/** Returns the events as one list: names, attributes, and texts joined between tags. */
function scanned(text: string): unknown[] {
  const xml = new XmlScanner(encodeUtf8(text), 'test.xml');
  const events: unknown[] = [];
  let gathered = '';
  for (let token = xml.next(); token !== XmlToken.End; token = xml.next()) {
    if (token === XmlToken.Text) {
      gathered += xml.text();
      continue;
    }
    if (gathered !== '') events.push(gathered);
    gathered = '';
    const attributes = Array.from({ length: xml.attributeCount }, (_, index) => [
      xml.attributeName(index),
      xml.attributeValue(index),
    ]);
    events.push(token === XmlToken.Open ? ['open', xml.qualifiedName, attributes] : ['close', xml.qualifiedName]);
  }
  return events;
}

function parsedBySaxes(text: string): unknown[] {
  const events: unknown[] = [];
  let gathered = '';
  let depth = 0;
  const flush = () => {
    if (gathered !== '') events.push(gathered);
    gathered = '';
  };
  const parser = new SaxesParser({ xmlns: false, fragment: false });
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('text', (part) => {
    if (depth > 0) gathered += part;
  });
  parser.on('cdata', (part) => void (gathered += part));
  parser.on('opentag', ({ name, attributes }) => {
    flush();
    depth++;
    events.push(['open', name, Object.entries(attributes)]);
  });
  parser.on('closetag', ({ name }) => {
    flush();
    depth--;
    events.push(['close', name]);
  });
  parser.write(text).close();
  return events;
}

const name = fc.constantFrom('c', 'row', 'x:c', 'v', 'sheetData', 'mc:AlternateContent', 'ä');
const chars = fc.string({
  unit: fc.constantFrom('a', '1', ' ', 'é', '漢', '😀', '<', '&', '"', "'", '>', '\n', '\t', ']'),
  maxLength: 12,
});
const blank = fc.constantFrom('', ' ', '\n', '  ');
const element: fc.Memo<string> = fc.memo((depth) =>
  fc
    .tuple(name, fc.dictionary(fc.constantFrom('r', 's', 't', 'r:id', 'xml:space'), chars), content(depth), blank)
    .map(([tag, attributes, inside, space]) => {
      const list = Object.entries(attributes).map(([key, value], index) =>
        index % 2
          ? ` ${key} = '${escapeAttribute(value).replaceAll("'", '&apos;')}'`
          : ` ${key}="${escapeAttribute(value)}"`,
      );
      const head = `${tag}${list.join('')}${space}`;
      return inside === '' ? `<${head}/>` : `<${head}>${inside}</${tag}${space}>`;
    }),
);
const part = (depth: number): fc.Arbitrary<string> =>
  fc.oneof(
    chars.map(escapeXml),
    chars.map((text) => `<![CDATA[${text.replaceAll(/\]+>/g, '>')}]]>`),
    fc.constantFrom('<!-- a < b & c -->', '<?pi a > b?>', '&#65;', '&#x1F600;', '\r\n'),
    ...(depth > 0 ? [element(depth - 1)] : []),
  );
const content = (depth: number): fc.Arbitrary<string> =>
  fc.array(part(depth), { maxLength: 4 }).map((parts) => parts.join(''));

describe('the XML scanner', () => {
  it('sees what a general parser sees', () => {
    const document = element(4).map((root) => `<?xml version="1.0"?>\n${root}\n`);
    fc.assert(
      fc.property(document, (text) => {
        expect(scanned(text)).toEqual(parsedBySaxes(text));
      }),
      { numRuns: rounds(250, 1000) },
    );
  });

  it('refuses every cut of a document, and never fails otherwise', () => {
    const text = '<?xml version="1.0"?><a x="1"><b:c/><!-- c --><d><![CDATA[x]]>&amp;</d></a>';
    for (let length = 0; length < text.length; length++) {
      expect(() => scanned(text.slice(0, length))).toThrow(WorkbookFileError);
    }
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), fc.nat(text.length), (bytes, at) => {
        const mixed = Uint8Array.from([...encodeUtf8(text.slice(0, at)), ...bytes]);
        try {
          const xml = new XmlScanner(mixed, 'test.xml');
          while (xml.next() !== XmlToken.End);
        } catch (error) {
          expect(error).toBeInstanceOf(WorkbookFileError);
        }
      }),
    );
  });

  it.each([
    '<!DOCTYPE a><a/>',
    '<!doctype a><a/>',
    '<a><!ENTITY b "c"></a>',
    '<a>&b;</a>',
    '<a b="&c;"/>',
    '<a>&constructor;</a>',
  ])('refuses %s', (text) => {
    expect(() => scanned(text)).toThrow(expect.objectContaining({ code: 'forbiddenXml' }));
  });

  it.each(['<a><b></a></b>', '<a/><b/>', 'x<a/>', '<a b=c/>', '<a b="<"/>', '<a & b/>', '< a/>', '<a>&</a>', '</a>'])(
    'calls %s damaged',
    (text) => {
      expect(() => scanned(text)).toThrow(expect.objectContaining({ code: 'damaged' }));
    },
  );

  it('gives the bytes of what it read', () => {
    const text = '<é><c r="A1" t=\'x\'>ü</c></é>';
    const bytes = encodeUtf8(text);
    const xml = new XmlScanner(bytes, 'test.xml');
    xml.next();
    xml.next();
    const slice = (start: number, end: number) => new TextDecoder().decode(bytes.subarray(start, end));
    expect(slice(xml.start, xml.end)).toBe('<c r="A1" t=\'x\'>');
    expect(slice(xml.attributeNameStarts[1]!, xml.valueEnds[1]! + 1)).toBe("t='x'");
    xml.readLeaf();
    expect(slice(xml.leafStart, xml.leafEnd)).toBe('ü');
    expect(slice(xml.start, xml.end)).toBe('</c>');
  });
});

describe('texts of a part', () => {
  it('come back from the escapes of Excel and XML as they were', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('_', 'x', '0', 'D', 'é', '\u0001', '\r', '\n', '&', '😀') }),
        (text) => {
          const xml = new XmlScanner(encodeUtf8(`<t>${escapeXml(encodeExcelEscapes(text))}</t>`), 'test.xml');
          xml.next();
          expect(decodeExcelEscapes(xml.leaf())).toBe(text);
        },
      ),
    );
  });

  it('are read in UTF-16 and in declared one-byte encodings', () => {
    const utf16 = Buffer.from('\ufeff<?xml version="1.0" encoding="UTF-16"?><t>é漢</t>', 'utf16le');
    const latin = Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><t>é</t>', 'latin1');
    expect(new TextDecoder().decode(toUtf8(utf16, 'p'))).toContain('<t>é漢</t>');
    expect(new TextDecoder().decode(toUtf8(latin, 'p'))).toContain('encoding="UTF-8" standalone="yes"?><t>é</t>');
  });
});
