/** The parts of a workbook that list its other parts (ECMA-376 parts 1 and 2). */
import { encodeExcelEscapes, escapeAttribute } from '#shared/codecs/xml-escapes.ts';
import { HEAD, MAIN, PACKAGE, RELATIONS } from './namespaces.ts';

export interface WrittenSheet {
  name: string;
  isHidden: boolean;
  hasNotes: boolean;
}

const TYPES = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** Returns the content types. Sheets and their notes are numbered from 1. */
export function contentTypesXml(sheets: readonly WrittenSheet[]): string {
  const override = (path: string, type: string): string =>
    `<Override PartName="/xl/${path}.xml" ContentType="${TYPES}.${type}+xml"/>`;
  return (
    `${HEAD}<Types xmlns="${PACKAGE}/content-types">` +
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
    '<Default Extension="xml" ContentType="application/xml"/>' +
    '<Default Extension="vml" ContentType="application/vnd.openxmlformats-officedocument.vmlDrawing"/>' +
    override('workbook', 'sheet.main') +
    override('styles', 'styles') +
    sheets.map((_, index) => override(`worksheets/sheet${index + 1}`, 'worksheet')).join('') +
    sheets.map(({ hasNotes }, index) => (hasNotes ? override(`comments${index + 1}`, 'comments') : '')).join('') +
    '</Types>'
  );
}

/** Ids are rId1 and so on. */
export function relationsXml(targets: readonly (readonly [type: string, target: string])[]): string {
  const items = targets.map(
    ([type, target], index) => `<Relationship Id="rId${index + 1}" Type="${RELATIONS}/${type}" Target="${target}"/>`,
  );
  return `${HEAD}<Relationships xmlns="${PACKAGE}/relationships">${items.join('')}</Relationships>`;
}

/** The relationships of the sheets are the first ones. */
export function workbookXml(sheets: readonly WrittenSheet[]): string {
  const items = sheets.map(
    ({ name, isHidden }, index) =>
      `<sheet name="${escapeAttribute(encodeExcelEscapes(name))}" sheetId="${index + 1}"` +
      `${isHidden ? ' state="hidden"' : ''} r:id="rId${index + 1}"/>`,
  );
  return (
    `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><workbookPr/><bookViews><workbookView/></bookViews>` +
    `<sheets>${items.join('')}</sheets></workbook>`
  );
}
