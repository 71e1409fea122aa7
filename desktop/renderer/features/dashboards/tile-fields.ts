/** The form of a tile. */
import type { Tile, TileKind } from '#shared/contract/dashboards.ts';
import { t } from '#renderer/language/translate.ts';
import { freeId, freePosition, TILE_SIZES } from './tile-layout.ts';

export interface TileFields {
  Kind: TileKind;
  /** 'a7' for an activity, 'c7' for a checklist; '' if none is chosen. */
  source: string;
  output: string;
  runs: string;
  scheduled: boolean;
  text: string;
  title: string;
}

export const NEW_TILE: TileFields = {
  Kind: 'Value',
  source: '',
  output: '',
  runs: '20',
  scheduled: false,
  text: '',
  title: '',
};

export function fieldsOf(tile: Tile): TileFields {
  const fields = { ...NEW_TILE, Kind: tile.Kind, title: tile.Title };
  if (tile.Kind === 'Text') return { ...fields, text: tile.Text };
  if (tile.Kind === 'Approvals') return fields;
  if (tile.Kind === 'Outcomes') {
    const source = tile.ActivityId !== null ? `a${tile.ActivityId}` : `c${tile.ChecklistId}`;
    return { ...fields, source, runs: String(tile.Runs), scheduled: tile.Scheduled };
  }
  const runs = tile.Kind === 'Table' ? NEW_TILE.runs : String(tile.Runs);
  return { ...fields, source: `a${tile.ActivityId}`, output: String(tile.OutputId), runs };
}

/** Returns the fields for another kind of tile, without a choice that the form does not offer for it. */
export function withKind(fields: TileFields, Kind: TileKind): TileFields {
  const isOffered = Kind === 'Outcomes' || !fields.source.startsWith('c');
  // Each output that can be plotted is also a single value; no other kinds share their outputs.
  const isOutputOffered = Kind === fields.Kind || (fields.Kind === 'Plot' && Kind === 'Value');
  return { ...fields, Kind, source: isOffered ? fields.source : '', output: isOutputOffered ? fields.output : '' };
}

/** Minimum and maximum number of runs for each kind of tile. */
export const RUNS_OF: Partial<Record<TileKind, [number, number]>> = {
  Value: [2, 100],
  Plot: [2, 1000],
  Outcomes: [1, 100],
};

/** @param before the tile that is being edited; null for a new one */
export function readTile(
  fields: TileFields,
  before: Tile | null,
  tiles: readonly Tile[],
): { tile: Tile } | { issue: string } {
  const { Kind, source, scheduled } = fields;
  const typed = fields.runs.trim();
  const Runs = Number(typed);
  const bounds = RUNS_OF[Kind];
  const issue = sourceIssue(fields);
  if (issue !== null) return { issue };
  if (bounds && !(/^\d+$/.test(typed) && Runs >= bounds[0] && Runs <= bounds[1]))
    return { issue: t('Enter a number of runs from {bounds} to {bounds2}', { bounds: bounds[0], bounds2: bounds[1] }) };
  const base = before ?? { Id: freeId(tiles), ...freePosition(tiles, TILE_SIZES[Kind]) };
  const { Id, X, Y, W, H } = base;
  const tile = { Id, X, Y, W, H, Title: fields.title.trim() };
  const sourceId = Number(source.slice(1));
  const ofOutput = { ActivityId: sourceId, OutputId: Number(fields.output) };
  switch (Kind) {
    case 'Text':
      return { tile: { ...tile, Kind, Text: fields.text } };
    case 'Approvals':
      return { tile: { ...tile, Kind } };
    case 'Outcomes': {
      const isActivity = source.startsWith('a');
      const of = { ActivityId: isActivity ? sourceId : null, ChecklistId: isActivity ? null : sourceId };
      return { tile: { ...tile, Kind, ...of, Scheduled: scheduled, Runs } };
    }
    case 'Table':
      return { tile: { ...tile, Kind, ...ofOutput } };
    default:
      return { tile: { ...tile, Kind, ...ofOutput, Runs } };
  }
}

function sourceIssue({ Kind, source, output, text, title }: TileFields): string | null {
  if (Kind === 'Approvals') return null;
  if (Kind === 'Text') return text.trim() === '' && title.trim() === '' ? t('Enter a text') : null;
  if (source === '') return Kind === 'Outcomes' ? t('Choose an activity or a checklist') : t('Choose an activity');
  if (Kind === 'Outcomes') return null;
  if (source.startsWith('c')) return t('Choose an activity');
  return output === '' ? t('Choose an output') : null;
}
