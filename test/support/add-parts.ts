/**
 * Adds charts, sparklines and pivot tables to the small workbooks of tests: the parts that Excel writes, and the
 * references to them.
 */
import { workbookParts } from './build-workbook.ts';
import type { WorkbookSpec } from './build-workbook.ts';
import type { Parts } from './zip-parts.ts';

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const CHART = 'http://schemas.openxmlformats.org/drawingml/2006/chart';
const CHARTEX = 'http://schemas.microsoft.com/office/drawing/2014/chartex';
const DRAWING = 'http://schemas.openxmlformats.org/drawingml/2006/main';
const ANCHORS = 'http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing';

export interface SheetParts {
  /** The complete XML of each chart shown on the sheet; see `chartPath` for their paths. */
  charts?: string[];
  /** The XML of charts of the types that Excel has had since 2016. */
  newCharts?: string[];
  /** The x14:sparklineGroup elements. */
  sparklines?: string;
  /** Pivot tables: the XML of each, and the index of its cache, from 0. */
  pivots?: { xml: string; cache: number }[];
}

export interface AddedParts {
  /** By sheet index, from 0. */
  sheets?: Record<number, SheetParts>;
  /** The XML of pivotCacheDefinition parts, 'xl/pivotCache/pivotCacheDefinition1.xml' and so on. */
  pivotCaches?: string[];
}

/** Returns for example 'xl/charts/chart1_1.xml': the first chart of the first sheet. */
export const chartPath = (sheet: number, chart = 0): string => `xl/charts/chart${sheet + 1}_${chart + 1}.xml`;

/** Returns the parts of `spec` with the added parts. */
export function withParts(spec: WorkbookSpec, added: AddedParts): Parts {
  const parts = workbookParts(spec);
  for (const [number, sheet] of Object.entries(added.sheets ?? {})) addToSheet(parts, Number(number), sheet);
  for (const [index, xml] of (added.pivotCaches ?? []).entries()) {
    const path = `xl/pivotCache/pivotCacheDefinition${index + 1}.xml`;
    parts[path] = HEAD + xml;
    relate(parts, 'xl/_rels/workbook.xml.rels', `rIdPivot${index}`, `${OFFICE}/pivotCacheDefinition`, `/${path}`);
    declare(parts, path, 'application/vnd.openxmlformats-officedocument.spreadsheetml.pivotCacheDefinition+xml');
  }
  return parts;
}

function addToSheet(parts: Parts, index: number, sheet: SheetParts): void {
  const { charts = [], newCharts = [], sparklines, pivots = [] } = sheet;
  const path = `xl/worksheets/sheet${index + 1}.xml`;
  if (sparklines !== undefined) {
    const group =
      '<extLst><ext uri="{05C60535-1F16-4fd2-B633-F4F36F0B64E0}" xmlns:x14="http://schemas.microsoft.com/office/spreadsheetml/2009/9/main">' +
      `<x14:sparklineGroups xmlns:xm="http://schemas.microsoft.com/office/excel/2006/main">${sparklines}</x14:sparklineGroups></ext></extLst>`;
    parts[path] = text(parts, path).replace('</worksheet>', `${group}</worksheet>`);
  }
  for (const [at, { xml, cache }] of pivots.entries()) addPivot(parts, index, at, xml, cache);
  if (charts.length + newCharts.length === 0) return;
  const drawing = `xl/drawings/drawing${index + 1}.xml`;
  parts[path] = text(parts, path).replace(/(<pageMargins[^>]*>)/, '$1<drawing r:id="rIdDrawing"/>');
  relate(parts, `xl/worksheets/_rels/sheet${index + 1}.xml.rels`, 'rIdDrawing', `${OFFICE}/drawing`, `/${drawing}`);
  declare(parts, drawing, 'application/vnd.openxmlformats-officedocument.drawing+xml');
  const anchors = charts.map((xml, chart) => {
    const target = chartPath(index, chart);
    parts[target] = HEAD + xml;
    declare(parts, target, 'application/vnd.openxmlformats-officedocument.drawingml.chart+xml');
    relate(parts, `xl/drawings/_rels/drawing${index + 1}.xml.rels`, `rId${chart + 1}`, `${OFFICE}/chart`, `/${target}`);
    return anchor(chart, `rId${chart + 1}`);
  });
  for (const [chart, xml] of newCharts.entries()) {
    const target = `xl/charts/chartEx${index + 1}_${chart + 1}.xml`;
    parts[target] = HEAD + xml;
    declare(parts, target, 'application/vnd.ms-office.chartex+xml');
    const type = 'http://schemas.microsoft.com/office/2014/relationships/chartEx';
    relate(parts, `xl/drawings/_rels/drawing${index + 1}.xml.rels`, `rIdEx${chart + 1}`, type, `/${target}`);
  }
  parts[drawing] =
    `${HEAD}<xdr:wsDr xmlns:xdr="${ANCHORS}" xmlns:a="${DRAWING}" xmlns:r="${OFFICE}" xmlns:c="${CHART}">${anchors.join('')}</xdr:wsDr>`;
}

function addPivot(parts: Parts, sheet: number, at: number, xml: string, cache: number): void {
  const name = `pivotTable${sheet + 1}_${at + 1}.xml`;
  parts[`xl/pivotTables/${name}`] = HEAD + xml;
  declare(
    parts,
    `xl/pivotTables/${name}`,
    'application/vnd.openxmlformats-officedocument.spreadsheetml.pivotTable+xml',
  );
  const rels = `xl/worksheets/_rels/sheet${sheet + 1}.xml.rels`;
  relate(parts, rels, `rIdPivot${at}`, `${OFFICE}/pivotTable`, `/xl/pivotTables/${name}`);
  const target = `/xl/pivotCache/pivotCacheDefinition${cache + 1}.xml`;
  relate(parts, `xl/pivotTables/_rels/${name}.rels`, 'rId1', `${OFFICE}/pivotCacheDefinition`, target);
}

const anchor = (index: number, id: string): string =>
  `<xdr:twoCellAnchor><xdr:from><xdr:col>6</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>${index * 16}</xdr:row><xdr:rowOff>0</xdr:rowOff></xdr:from>` +
  `<xdr:to><xdr:col>14</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>${index * 16 + 15}</xdr:row><xdr:rowOff>0</xdr:rowOff></xdr:to>` +
  `<xdr:graphicFrame macro=""><xdr:nvGraphicFramePr><xdr:cNvPr id="${index + 2}" name="Chart ${index + 1}"/><xdr:cNvGraphicFramePr/></xdr:nvGraphicFramePr>` +
  '<xdr:xfrm><a:off x="0" y="0"/><a:ext cx="0" cy="0"/></xdr:xfrm><a:graphic>' +
  `<a:graphicData uri="${CHART}"><c:chart r:id="${id}"/></a:graphicData></a:graphic></xdr:graphicFrame><xdr:clientData/></xdr:twoCellAnchor>`;

function relate(parts: Parts, path: string, id: string, type: string, target: string): void {
  const own = `<Relationship Id="${id}" Type="${type}" Target="${target}"/>`;
  const none = `${HEAD}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"></Relationships>`;
  parts[path] = (parts[path] === undefined ? none : text(parts, path)).replace(
    '</Relationships>',
    `${own}</Relationships>`,
  );
}

function declare(parts: Parts, path: string, type: string): void {
  const override = `<Override PartName="/${path}" ContentType="${type}"/>`;
  parts['[Content_Types].xml'] = text(parts, '[Content_Types].xml').replace('</Types>', `${override}</Types>`);
}

const text = (parts: Parts, path: string): string => parts[path] as string;

/** A column chart with these series; `rest` follows the plot area. */
export function chartXml(series: string[], rest = '<c:plotVisOnly val="1"/>'): string {
  const axis = (name: string, id: number, other: number, side: string): string =>
    `<c:${name}><c:axId val="${id}"/><c:scaling><c:orientation val="minMax"/></c:scaling><c:delete val="0"/>` +
    `<c:axPos val="${side}"/><c:crossAx val="${other}"/></c:${name}>`;
  return (
    `<c:chartSpace xmlns:c="${CHART}" xmlns:a="${DRAWING}" xmlns:r="${OFFICE}"><c:chart><c:autoTitleDeleted val="1"/><c:plotArea><c:layout/>` +
    `<c:barChart><c:barDir val="col"/><c:grouping val="clustered"/><c:varyColors val="0"/>${series.join('')}` +
    `<c:axId val="111"/><c:axId val="222"/></c:barChart>${axis('catAx', 111, 222, 'b')}${axis('valAx', 222, 111, 'l')}</c:plotArea>${rest}</c:chart></c:chartSpace>`
  );
}

/** A c:ser element; `parts` are the elements after c:order. */
export const seriesXml = (index: number, ...parts: string[]): string =>
  `<c:ser><c:idx val="${index}"/><c:order val="${index}"/>${parts.join('')}</c:ser>`;

/** A c:val, c:cat or similar element with a c:numRef and its cache. */
export function numbersXml(
  role: string,
  formula: string,
  values: (number | string | null)[],
  format = 'General',
): string {
  return `<c:${role}><c:numRef><c:f>${formula}</c:f>${numbersCache(values, format)}</c:numRef></c:${role}>`;
}

export const numbersCache = (values: (number | string | null)[], format = 'General'): string =>
  `<c:numCache><c:formatCode>${format}</c:formatCode>${pointsXml(values)}</c:numCache>`;

/** The same with a c:strRef. */
export const textsXml = (role: string, formula: string, values: (string | null)[]): string =>
  `<c:${role}><c:strRef><c:f>${formula}</c:f><c:strCache>${pointsXml(values)}</c:strCache></c:strRef></c:${role}>`;

export function pointsXml(values: (number | string | null)[]): string {
  const points = values.map((value, index) =>
    value === null ? '' : `<c:pt idx="${index}"><c:v>${value}</c:v></c:pt>`,
  );
  return `<c:ptCount val="${values.length}"/>${points.join('')}`;
}

/** A waterfall chart of this data. */
export const newChartXml = (data: string): string =>
  `<cx:chartSpace xmlns:cx="${CHARTEX}"><cx:chartData>${data}</cx:chartData><cx:chart><cx:plotArea><cx:plotAreaRegion>` +
  '<cx:series layoutId="waterfall"><cx:tx><cx:txData><cx:f>Orders!$C$1</cx:f><cx:v>Old</cx:v></cx:txData></cx:tx><cx:dataId val="0"/></cx:series>' +
  '</cx:plotAreaRegion></cx:plotArea></cx:chart></cx:chartSpace>';
