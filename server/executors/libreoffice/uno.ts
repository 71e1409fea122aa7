/** The part of LibreOffice's UNO API needed to calculate a spreadsheet. Source: the IDL reference of the UNO API. */
import type { CellBlock, CellPosition } from '#shared/codecs/cell-address.ts';
import type { AnyValue, RemoteObject, UrpReader } from './urp-buffer.ts';
import { TypeClass } from './urp-buffer.ts';
import type { Method, UrpConnection } from './urp-connection.ts';
import { objectOf } from './urp-connection.ts';

const X = {
  interface: 'com.sun.star.uno.XInterface',
  context: 'com.sun.star.uno.XComponentContext',
  factory: 'com.sun.star.lang.XMultiComponentFactory',
  loader: 'com.sun.star.frame.XComponentLoader',
  component: 'com.sun.star.lang.XComponent',
  book: 'com.sun.star.sheet.XSpreadsheetDocument',
  sheets: 'com.sun.star.sheet.XSpreadsheets',
  byIndex: 'com.sun.star.container.XIndexAccess',
  range: 'com.sun.star.table.XCellRange',
  data: 'com.sun.star.sheet.XCellRangeData',
  formulas: 'com.sun.star.sheet.XCellRangeFormula',
  cell: 'com.sun.star.table.XCell',
  calculatable: 'com.sun.star.sheet.XCalculatable',
  closeable: 'com.sun.star.util.XCloseable',
  services: 'com.sun.star.lang.XMultiServiceFactory',
  mapper: 'com.sun.star.sheet.XFormulaOpCodeMapper',
};

const method = (type: string, number: number): Method => ({ type, number });
const GET_SERVICE_MANAGER = method(X.context, 4);
const CREATE_WITH_CONTEXT = method(X.factory, 3);
const LOAD = method(X.loader, 3);
const GET_SHEETS = method(X.book, 3);
const GET_BY_INDEX = method(X.byIndex, 6);
const GET_CELL = method(X.range, 3);
const GET_RANGE = method(X.range, 4);
const GET_DATA = method(X.data, 3);
const SET_DATA = method(X.data, 4);
const SET_FORMULAS = method(X.formulas, 4);
const GET_ERROR = method(X.cell, 8);
const CALCULATE = method(X.calculatable, 3);
const CALCULATE_ALL = method(X.calculatable, 4);
const SET_AUTOMATIC = method(X.calculatable, 6);
const CLOSE = method(X.closeable, 5);
const CREATE = method(X.services, 3);
const GET_MAPPINGS = method(X.mapper, 6);

/** com.sun.star.sheet.FormulaLanguage.OOXML, and all groups of FormulaMapGroup. */
const OOXML = 4;
const ALL_GROUPS = 0x7fffffff;

const nothing = (): void => undefined;
const object = (from: UrpReader): string => from.object();

/** Contents for setDataArray; null empties the cell. */
export type Data = number | string | null;

export class Office {
  private readonly connection: UrpConnection;
  private readonly loader: string;

  private constructor(connection: UrpConnection, loader: string) {
    this.connection = connection;
    this.loader = loader;
  }

  static async connect(connection: UrpConnection): Promise<Office> {
    await connection.ready;
    const root = await connection.query('StarOffice.ComponentContext', X.interface);
    const context = await connection.query(root, X.context);
    const factory = await connection.call(context, GET_SERVICE_MANAGER, nothing, object);
    const desktop = await connection.call(
      factory,
      CREATE_WITH_CONTEXT,
      (to) => to.string('com.sun.star.frame.Desktop').object(context),
      object,
    );
    return new Office(connection, await connection.query(desktop, X.loader));
  }

  /** Opens a file hidden: no macros run, no links are followed, nothing can be written back. */
  async open(url: string): Promise<OfficeDocument> {
    const { connection } = this;
    const properties: [string, number, (to: { boolean(v: boolean): unknown; short(v: number): unknown }) => unknown][] =
      [
        ['Hidden', TypeClass.Boolean, (to) => to.boolean(true)],
        ['ReadOnly', TypeClass.Boolean, (to) => to.boolean(false)],
        ['MacroExecutionMode', TypeClass.Short, (to) => to.short(0)],
        ['UpdateDocMode', TypeClass.Short, (to) => to.short(0)],
      ];
    const document = await connection.call(
      this.loader,
      LOAD,
      (to) => {
        to.string(url).string('_blank').long(0).count(properties.length);
        for (const [name, typeClass, write] of properties) {
          to.string(name).long(0).type({ class: typeClass, name: '' });
          write(to);
          to.long(0);
        }
      },
      object,
    );
    if (document === '') throw new Error('LibreOffice cannot open the workbook');
    return OfficeDocument.of(connection, document);
  }
}

export class OfficeDocument {
  private readonly connection: UrpConnection;
  private readonly document: string;
  private readonly sheets: string;
  private readonly calculatable: string;
  private readonly bySheet = new Map<number, Promise<string>>();
  /** Remote objects to release when the document is closed. */
  private readonly held: RemoteObject[] = [];

  private constructor(connection: UrpConnection, document: string, sheets: string, calculatable: string) {
    this.connection = connection;
    this.document = document;
    this.sheets = sheets;
    this.calculatable = calculatable;
  }

  static async of(connection: UrpConnection, document: string): Promise<OfficeDocument> {
    const held: RemoteObject[] = [{ object: document, type: X.component }];
    const query = async (from: string, type: string): Promise<string> => {
      const found = await connection.query(from, type);
      held.push({ object: found, type });
      return found;
    };
    const book = await query(document, X.book);
    const list = await connection.call(book, GET_SHEETS, nothing, object);
    held.push({ object: list, type: X.sheets });
    const sheets = await query(list, X.byIndex);
    const calculatable = await query(document, X.calculatable);
    const opened = new OfficeDocument(connection, document, sheets, calculatable);
    opened.held.push(...held);
    await connection.call(calculatable, SET_AUTOMATIC, (to) => to.boolean(false), nothing);
    return opened;
  }

  /** Returns the names of the functions LibreOffice knows, as .xlsx files spell them. */
  async functionNames(): Promise<string[]> {
    const { connection } = this;
    const services = await connection.query(this.document, X.services);
    const created = await connection.call(
      services,
      CREATE,
      (to) => to.string('com.sun.star.sheet.FormulaOpCodeMapper'),
      object,
    );
    const mapper = await connection.query(created, X.mapper);
    const names = await connection.call(
      mapper,
      GET_MAPPINGS,
      (to) => to.long(OOXML).long(ALL_GROUPS),
      (from) =>
        Array.from({ length: from.count() }, () => {
          const name = from.string();
          from.long();
          from.any();
          return name;
        }),
    );
    connection.release({ object: mapper, type: X.mapper });
    connection.release({ object: created, type: X.interface });
    connection.release({ object: services, type: X.services });
    return names;
  }

  /** `all` recalculates every formula, even if nothing changed. */
  async calculate(all: boolean): Promise<void> {
    await this.connection.call(this.calculatable, all ? CALCULATE_ALL : CALCULATE, nothing, nothing);
  }

  /** Returns the values row by row; null stands for an error. */
  async read(sheet: number, block: CellBlock): Promise<AnyValue[][]> {
    return this.onRange(sheet, block, X.data, (data) =>
      this.connection.call(
        data,
        GET_DATA,
        nothing,
        (from) => from.value({ class: TypeClass.Sequence, name: '[][]any' }) as AnyValue[][],
      ),
    );
  }

  async write(sheet: number, block: CellBlock, rows: readonly (readonly Data[])[]): Promise<void> {
    await this.onRange(sheet, block, X.data, (data) =>
      this.connection.call(
        data,
        SET_DATA,
        (to) => {
          to.count(rows.length);
          for (const row of rows) {
            to.count(row.length);
            for (const value of row) {
              if (typeof value === 'number') to.type({ class: TypeClass.Double, name: '' }).double(value);
              else if (value === null) to.type({ class: TypeClass.Void, name: '' });
              else to.type({ class: TypeClass.String, name: '' }).string(value);
            }
          }
        },
        nothing,
      ),
    );
  }

  /** Writes formulas in LibreOffice's own notation, with '='. */
  async writeFormulas(sheet: number, block: CellBlock, rows: readonly (readonly string[])[]): Promise<void> {
    await this.onRange(sheet, block, X.formulas, (formulas) =>
      this.connection.call(
        formulas,
        SET_FORMULAS,
        (to) => {
          to.count(rows.length);
          for (const row of rows) {
            to.count(row.length);
            for (const text of row) to.string(text);
          }
        },
        nothing,
      ),
    );
  }

  /** Returns LibreOffice's error numbers of the cells; 0 means no error. */
  async errors(sheet: number, cells: readonly CellPosition[]): Promise<number[]> {
    const { connection } = this;
    const range = await this.sheet(sheet);
    const objects = await Promise.all(
      cells.map(({ row, col }) => connection.call(range, GET_CELL, (to) => to.long(col).long(row), object)),
    );
    const errors = await Promise.all(
      objects.map((cell) => connection.call(cell, GET_ERROR, nothing, (from) => from.long())),
    );
    for (const cell of objects) connection.release({ object: cell, type: X.cell });
    return errors;
  }

  async close(): Promise<void> {
    const { connection } = this;
    const closeable = await connection.query(this.document, X.closeable);
    await connection.call(closeable, CLOSE, (to) => to.boolean(true), nothing);
    connection.release({ object: closeable, type: X.closeable });
    for (const held of this.held.splice(0)) connection.release(held);
  }

  private sheet(index: number): Promise<string> {
    let sheet = this.bySheet.get(index);
    if (!sheet) this.bySheet.set(index, (sheet = this.findSheet(index)));
    return sheet;
  }

  private async findSheet(index: number): Promise<string> {
    const answer = await this.connection.call(
      this.sheets,
      GET_BY_INDEX,
      (to) => to.long(index),
      (from) => from.any(),
    );
    const found = objectOf(answer);
    this.held.push(found);
    return found.object;
  }

  private async onRange<T>(
    sheet: number,
    { left, top, right, bottom }: CellBlock,
    type: string,
    work: (object: string) => Promise<T>,
  ): Promise<T> {
    const { connection } = this;
    const range = await connection.call(
      await this.sheet(sheet),
      GET_RANGE,
      (to) => to.long(left).long(top).long(right).long(bottom),
      object,
    );
    const part = await connection.query(range, type);
    try {
      return await work(part);
    } finally {
      connection.release({ object: part, type });
      connection.release({ object: range, type: X.range });
    }
  }
}
