/** The region of a workbook: determines how its functions parse and format texts, and how imports read files. */
import { Type, type Static } from 'typebox';
import { closed } from './endpoint.ts';

/**
 * What determined the region of a workbook:
 * - Formats: its file, by the language of the Excel that saved it and by its currency formats
 * - Values: its file, by the values saved for its formulas
 * - Chosen: its author, at the upload
 * - Kept: inherited from the previous version
 * - None: nothing, so the region is the United States
 */
export const RegionSource = Type.Union([
  Type.Literal('Formats'),
  Type.Literal('Values'),
  Type.Literal('Chosen'),
  Type.Literal('Kept'),
  Type.Literal('None'),
]);
export type RegionSource = Static<typeof RegionSource>;

export const WorkbookRegion = closed({
  /** BCP 47 tag: 'de-DE'. */
  Id: Type.String(),
  Source: RegionSource,
});
export type WorkbookRegion = Static<typeof WorkbookRegion>;
