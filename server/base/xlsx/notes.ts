/** Notes at cells: their texts (ECMA-376 part 1, 18.7), and the shapes that Excel needs to show them. */
import { formatCell } from '#shared/codecs/cell-address.ts';
import { textElement } from './cell-xml.ts';
import { HEAD, MAIN } from './namespaces.ts';

export interface Note {
  /** Position of the cell, from 0. */
  row: number;
  col: number;
  text: string;
}

export function notesXml(notes: readonly Note[]): string {
  const items = notes.map(
    ({ row, col, text }) =>
      `<comment ref="${formatCell(row, col)}" authorId="0"><text><r>${textElement(text)}</r></text></comment>`,
  );
  return (
    `${HEAD}<comments xmlns="${MAIN}"><authors><author>Runsheet</author></authors>` +
    `<commentList>${items.join('')}</commentList></comments>`
  );
}

const SHAPE_TYPE =
  '<v:shapetype id="_x0000_t202" coordsize="21600,21600" o:spt="202" path="m,l,21600r21600,l21600,xe">' +
  '<v:stroke joinstyle="miter"/><v:path gradientshapeok="t" o:connecttype="rect"/></v:shapetype>';
/** Number of the first shape of a sheet. */
const FIRST_SHAPE = 1025;

/** Returns a drawing of the sheet with one hidden box per note. */
export function noteShapes(notes: readonly Note[]): string {
  const shapes = notes.map(
    ({ row, col }, index) =>
      `<v:shape id="_x0000_s${FIRST_SHAPE + index}" type="#_x0000_t202" style="position:absolute;visibility:hidden" ` +
      'fillcolor="infoBackground [80]" strokecolor="none [81]" o:insetmode="auto"><v:fill color2="infoBackground [80]"/>' +
      '<v:shadow color="none [81]" obscured="t"/><v:path o:connecttype="none"/>' +
      '<v:textbox style="mso-direction-alt:auto"><div style="text-align:left"></div></v:textbox>' +
      '<x:ClientData ObjectType="Note"><x:MoveWithCells/><x:SizeWithCells/>' +
      `<x:Anchor>${col + 1}, 6, ${row}, 14, ${col + 3}, 2, ${row + 4}, 16</x:Anchor><x:AutoFill>False</x:AutoFill>` +
      `<x:Row>${row}</x:Row><x:Column>${col}</x:Column></x:ClientData></v:shape>`,
  );
  return (
    '<xml xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" ' +
    'xmlns:x="urn:schemas-microsoft-com:office:excel"><o:shapelayout v:ext="edit"><o:idmap v:ext="edit" data="1"/>' +
    `</o:shapelayout>${SHAPE_TYPE}${shapes.join('')}</xml>`
  );
}
