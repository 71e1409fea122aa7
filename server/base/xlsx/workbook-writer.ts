/**
 * Writes a new .xlsx file while its rows arrive: values, number formats, headings, notes and validations, never
 * formulas. Only rows that were not read yet are in memory.
 */
import { Buffer } from 'node:buffer';
import type { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { noteShapes, notesXml } from './notes.ts';
import { contentTypesXml, relationsXml, workbookXml, type WrittenSheet } from './package-parts.ts';
import type { SheetOptions } from './sheet-xml.ts';
import { openSheet, type SheetWriter } from './sheet-writer.ts';
import { createStyles } from './styles.ts';

/** The time of an entry without the extra field that only Info-ZIP knows. */
const ENTRY = { forceDosTimestamp: true };

export interface WorkbookWriter {
  /** The file. After it is destroyed, rows are refused. */
  readonly output: Readable;
  /** Adds a sheet. The sheet before it must have ended. */
  addSheet(options: SheetOptions): SheetWriter;
  /** Ends the file. Its last sheet must have ended. */
  end(): void;
}

export function openWorkbook(): WorkbookWriter {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  const styles = createStyles();
  const sheets: WrittenSheet[] = [];
  const add = (path: string, xml: string): void => zip.addBuffer(Buffer.from(xml), path, ENTRY);

  return {
    output,
    addSheet: (options) => {
      const number = sheets.length + 1;
      const written = { name: options.name, isHidden: options.isHidden ?? false, hasNotes: false };
      sheets.push(written);
      const { part, writer } = openSheet(options, styles, output, (notes) => {
        if (notes.length === 0) return;
        written.hasNotes = true;
        add(`xl/comments${number}.xml`, notesXml(notes));
        add(`xl/drawings/vmlDrawing${number}.vml`, noteShapes(notes));
        const targets = [
          ['vmlDrawing', `../drawings/vmlDrawing${number}.vml`],
          ['comments', `../comments${number}.xml`],
        ] as const;
        add(`xl/worksheets/_rels/sheet${number}.xml.rels`, relationsXml(targets));
      });
      zip.addReadStream(part, `xl/worksheets/sheet${number}.xml`, ENTRY);
      return writer;
    },
    end: () => {
      const targets = sheets.map((_, index) => ['worksheet', `worksheets/sheet${index + 1}.xml`] as const);
      add('xl/styles.xml', styles.xml());
      add('xl/workbook.xml', workbookXml(sheets));
      add('xl/_rels/workbook.xml.rels', relationsXml([...targets, ['styles', 'styles.xml']]));
      add('_rels/.rels', relationsXml([['officeDocument', 'xl/workbook.xml']]));
      add('[Content_Types].xml', contentTypesXml(sheets));
      zip.end();
    },
  };
}
