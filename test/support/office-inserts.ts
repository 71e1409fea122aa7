/** Runs LibreOffice's own "Insert cells, shift down" on a workbook saved as .xlsx. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CellInsertion } from '#server/calculation/tables/insert-cells.ts';
import { startOffice, urlIn } from '#server/executors/libreoffice/office-process.ts';
import type { UrpWriter } from '#server/executors/libreoffice/urp-buffer.ts';
import { TypeClass } from '#server/executors/libreoffice/urp-buffer.ts';
import type { Method } from '#server/executors/libreoffice/urp-connection.ts';
import { objectOf, UrpConnection } from '#server/executors/libreoffice/urp-connection.ts';

export interface OfficeInserts {
  /** Returns the workbook as LibreOffice saves it, with the cells inserted; null inserts none. */
  saved(file: Uint8Array, insertion: CellInsertion | null): Promise<Uint8Array>;
  stop(): void;
}

// Numbers are the indexes of methods in an interface, starting with those of XInterface. Source: the IDL reference of
// the UNO API.
const X = {
  interface: 'com.sun.star.uno.XInterface',
  context: 'com.sun.star.uno.XComponentContext',
  factory: 'com.sun.star.lang.XMultiComponentFactory',
  loader: 'com.sun.star.frame.XComponentLoader',
  book: 'com.sun.star.sheet.XSpreadsheetDocument',
  byIndex: 'com.sun.star.container.XIndexAccess',
  movement: 'com.sun.star.sheet.XCellRangeMovement',
  storable: 'com.sun.star.frame.XStorable',
  closeable: 'com.sun.star.util.XCloseable',
};
const method = (type: string, number: number): Method => ({ type, number });
/** com.sun.star.sheet.CellInsertMode.DOWN. */
const DOWN = 1;

const nothing = (): void => undefined;

export async function officeInserts(program: string): Promise<OfficeInserts> {
  const process = await startOffice(program, 2 ** 31, []);
  const connection = new UrpConnection(process.socket);
  await connection.ready;
  const call = (object: string, type: string, number: number, write: (to: UrpWriter) => unknown): Promise<string> =>
    connection.call(
      object,
      method(type, number),
      (to) => void write(to),
      (from) => from.object(),
    );
  const act = (object: string, type: string, number: number, write: (to: UrpWriter) => unknown): Promise<void> =>
    connection.call(object, method(type, number), (to) => void write(to), nothing);
  const context = await connection.query(await connection.query('StarOffice.ComponentContext', X.interface), X.context);
  const factory = await call(context, X.context, 4, nothing);
  const desktop = await call(factory, X.factory, 3, (to) => to.string('com.sun.star.frame.Desktop').object(context));
  const loader = await connection.query(desktop, X.loader);
  let count = 0;

  const insert = async (document: string, { sheet, row, count: rows, left, right }: CellInsertion): Promise<void> => {
    const list = await call(await connection.query(document, X.book), X.book, 3, nothing);
    const sheets = await connection.query(list, X.byIndex);
    const found = await connection.call(
      sheets,
      method(X.byIndex, 6),
      (to) => void to.long(sheet),
      (from) => from.any(),
    );
    const movement = await connection.query(objectOf(found).object, X.movement);
    await act(movement, X.movement, 3, (to) =>
      to
        .short(sheet)
        .long(left)
        .long(row)
        .long(right)
        .long(row + rows - 1)
        .long(DOWN),
    );
  };

  return {
    async saved(file, insertion) {
      count += 1;
      const [from, to] = [`from${count}.xlsx`, `to${count}.xlsx`];
      await writeFile(join(process.folder, from), file);
      const document = await call(loader, X.loader, 3, (writer) => {
        writer.string(urlIn(process.folder, from)).string('_blank').long(0).count(1);
        writer.string('Hidden').long(0).type({ class: TypeClass.Boolean, name: '' }).boolean(true).long(0);
      });
      if (document === '') throw new Error('LibreOffice cannot open the workbook');
      if (insertion) await insert(document, insertion);
      await act(await connection.query(document, X.storable), X.storable, 8, (writer) => {
        writer.string(urlIn(process.folder, to)).count(1);
        writer.string('FilterName').long(0).type({ class: TypeClass.String, name: '' });
        writer.string('Calc MS Excel 2007 XML').long(0);
      });
      await act(await connection.query(document, X.closeable), X.closeable, 5, (writer) => writer.boolean(true));
      return await readFile(join(process.folder, to));
    },
    stop() {
      process.socket.destroy();
      process.stop();
    },
  };
}
