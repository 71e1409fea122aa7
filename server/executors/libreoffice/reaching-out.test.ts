/**
 * Verifies that an untrusted workbook cannot read the data folder through the installed LibreOffice, in either way that
 * the workbook is opened.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildModel } from '#server/calculation/testing/build-model.ts';
import { createPdfConverter, findPdfProgram } from '#server/pdf/pdf-converter.ts';
import { withParts } from '#test/support/add-parts.ts';
import { zipParts } from '#test/support/zip-parts.ts';
import { read } from '#test/support/engine-suite.ts';
import { findOffice } from './find-office.ts';
import { createLibreOfficeEngine } from './libreoffice-engine.ts';

const program = findOffice('');
const pdfProgram = await findPdfProgram();
const SECRET = 'KeyOfTheServer';
/** A single red pixel, to be linked. */
const PICTURE = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';

let data: string;
beforeAll(() => {
  data = mkdtempSync(join(tmpdir(), 'reaching-out-'));
  fillData();
});
afterAll(() => rmSync(data, { recursive: true, force: true }));

function fillData(): void {
  mkdirSync(data, { recursive: true });
  for (const name of ['secret.key', 'secret.csv']) writeFileSync(join(data, name), `${SECRET},1\n`);
  writeFileSync(join(data, 'picture.png'), Buffer.from(PICTURE, 'base64'));
}

/**
 * Formulas in the notations of Excel and of LibreOffice, for a file with a known type (.csv) and one without (.key).
 */
const formulas = (): string[] =>
  ['secret.key', 'secret.csv'].flatMap((name) => {
    const url = pathToFileURL(join(data, name)).href;
    const sheet = name.replace('.csv', '');
    const folder = pathToFileURL(data).href;
    return [
      `WEBSERVICE("${url}")`,
      `'${folder}/[${name}]${sheet}'!A1`,
      `'${data}/[${name}]${sheet}'!$A$1`,
      `INDIRECT("'${url}'#$${sheet}.A1")`,
      `INDIRECT("'${folder}/[${name}]${sheet}'!A1")`,
      `CELL("contents",'${folder}/[${name}]${sheet}'!A1)`,
      `_xlfn.IMAGE("${url}")`,
      `DDE("soffice","${join(data, name)}","A1")`,
    ];
  });

const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** A workbook with the formulas but no saved values, and with a picture that is linked instead of embedded. */
async function workbook(): Promise<Uint8Array> {
  const cells = Object.fromEntries(formulas().map((formula, index) => [`A${index + 1}`, { formula, value: '' }]));
  const parts = withParts({ sheets: [{ name: 'Report', cells }] }, { sheets: { 0: { charts: ['<c/>'] } } });
  const url = pathToFileURL(join(data, 'picture.png')).href;
  parts['xl/drawings/_rels/drawing1.xml.rels'] =
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">' +
    `<Relationship Id="rId1" Type="${OFFICE}/image" Target="${url}" TargetMode="External"/></Relationships>`;
  parts['xl/drawings/drawing1.xml'] = String(parts['xl/drawings/drawing1.xml']).replace(
    /<xdr:graphicFrame.*<\/xdr:graphicFrame>/s,
    '<xdr:pic><xdr:nvPicPr><xdr:cNvPr id="2" name="Picture"/><xdr:cNvPicPr/></xdr:nvPicPr><xdr:blipFill><a:blip r:link="rId1"/>' +
      '<a:stretch><a:fillRect/></a:stretch></xdr:blipFill><xdr:spPr><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></xdr:spPr></xdr:pic>',
  );
  return zipParts(parts);
}

/**
 * Returns the contents of the streams, which are what the pages show. Dates and numbers of the file are outside the
 * streams.
 */
function contents(pdf: Uint8Array): string[] {
  const file = Buffer.from(pdf);
  const found: string[] = [];
  for (let at = file.indexOf('stream\n'); at >= 0; at = file.indexOf('stream\n', at + 7)) {
    if (file.subarray(at - 3, at).toString() === 'end') continue;
    try {
      found.push(
        createHash('sha256')
          .update(inflateSync(file.subarray(at + 7)))
          .digest('hex'),
      );
    } catch {
      // This stream is not deflated.
    }
  }
  return found;
}

describe.skipIf(program === null || pdfProgram === null)(
  `LibreOffice${program === null ? ' (skipped: it is not installed here)' : ''}`,
  { timeout: 180_000 },
  () => {
    test.each([
      ['hidden', true],
      ['in sight', false],
    ] as const)('calculates nothing from the data folder, which is %s', async (_, isHidden) => {
      const engine = createLibreOfficeEngine(program!, undefined, isHidden ? [data] : []);
      const seen = formulas().map((formula) => {
        try {
          const model = engine.load(buildModel({ sheets: { Sheet1: { A1: `=${formula}` } } }));
          model.recalculate();
          return JSON.stringify(read(model, 'A1'));
        } catch (error) {
          return String(error);
        }
      });
      await engine.close();
      expect(seen.filter((each) => !/"#\w+[!?]"|cannot be calculated with LibreOffice|:"#/.test(each))).toEqual([]);
      expect(seen.join()).not.toContain(SECRET);
    });

    test.each([
      ['hidden', true],
      ['in sight', false],
    ] as const)('prints nothing from the data folder, which is %s', async (_, isHidden) => {
      const converter = createPdfConverter(pdfProgram!, { hidden: isHidden ? [data] : [] });
      const file = await workbook();
      const convert = async () => contents(await converter.convert(file, new AbortController().signal));
      const withSecret = await convert();
      rmSync(data, { recursive: true });
      expect(existsSync(data)).toBe(false);
      const without = await convert();
      fillData();
      expect(withSecret.length).toBeGreaterThan(0);
      expect(withSecret).toEqual(without);
    });
  },
);
