/** Writes documents as PDF files with pdfmake, of whose definitions these types are the parts that reports use. */
import { createRequire } from 'node:module';

export type Margin = [left: number, top: number, right: number, bottom: number];

export interface PdfNode {
  text?: string;
  stack?: PdfNode[];
  /** True to keep the stack on one page. */
  unbreakable?: boolean;
  columns?: PdfNode[];
  columnGap?: number;
  table?: PdfTable;
  layout?: PdfLayout;
  svg?: string;
  width?: number | '*';
  colSpan?: number;
  border?: [left: boolean, top: boolean, right: boolean, bottom: boolean];
  fontSize?: number;
  bold?: boolean;
  color?: string;
  fillColor?: string;
  alignment?: 'left' | 'right';
  margin?: Margin;
}

export interface PdfTable {
  widths: (number | '*')[];
  /** Number of first rows that are repeated on each page. */
  headerRows: number;
  /** Number of rows after them that stay on the same page as them. */
  keepWithHeaderRows: number;
  /** True if a row is never divided between pages. pdfmake loses what does not fit on one page. */
  dontBreakRows: boolean;
  body: PdfNode[][];
}

export interface PdfLayout {
  /** @param index of the line, from 0 above the first row */
  hLineWidth: (index: number) => number;
  vLineWidth: () => number;
  hLineColor: () => string;
  vLineColor: () => string;
  paddingLeft: () => number;
  paddingRight: () => number;
  paddingTop: () => number;
  paddingBottom: () => number;
}

export interface PdfDocument {
  title: string;
  /** BCP 47 tag. */
  language: string;
  content: PdfNode[];
  header: PdfNode;
  footer: (page: number, pages: number) => PdfNode;
}

interface PdfMake {
  setFonts(fonts: Record<string, { normal: string; bold: string }>): void;
  setUrlAccessPolicy(isAllowed: (url: string) => boolean): void;
  setLocalAccessPolicy(isAllowed: (path: string) => boolean): void;
  createPdf(definition: object): { getBuffer(): Promise<Uint8Array> };
}

interface FontKit {
  openSync(path: string): { characterSet: number[] };
}

const require = createRequire(import.meta.url);
const fontFile = (style: string): string => require.resolve(`pdfmake/fonts/Roboto/Roboto-${style}.ttf`);

/** Margins of the pages in points. The width between them is that of columnGroups. */
const MARGINS: Margin = [35, 48, 35, 45];

/** Returns the code points that the font of the documents can show. */
export const shownCodePoints = (): Set<number> =>
  new Set((require('fontkit') as FontKit).openSync(fontFile('Regular')).characterSet);

export async function makePdf({ title, language, content, header, footer }: PdfDocument): Promise<Uint8Array> {
  const pdfMake = require('pdfmake') as PdfMake;
  const fonts = { normal: fontFile('Regular'), bold: fontFile('Medium') };
  pdfMake.setFonts({ Roboto: fonts });
  // Values come from people, so no definition may make the server read files or call addresses.
  pdfMake.setUrlAccessPolicy(() => false);
  pdfMake.setLocalAccessPolicy((path) => Object.values(fonts).includes(path));
  const definition = {
    version: '1.7',
    pageSize: 'A4',
    pageMargins: MARGINS,
    language,
    displayTitle: true,
    info: { title, creator: 'Runsheet', producer: 'Runsheet' },
    defaultStyle: { font: 'Roboto', fontSize: 9, color: '#1c2127' },
    header,
    footer,
    content,
  };
  return pdfMake.createPdf(definition).getBuffer();
}
