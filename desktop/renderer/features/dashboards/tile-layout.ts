/** Layout of tiles in columns and lines, without overlaps and packed upwards. */
import { DASHBOARD_COLUMNS, type Tile } from '#shared/contract/dashboards.ts';

export type TilePosition = Pick<Tile, 'Id' | 'X' | 'Y' | 'W' | 'H'>;

export const TILE_SIZES: Record<Tile['Kind'], { W: number; H: number }> = {
  Value: { W: 3, H: 4 },
  Table: { W: 6, H: 7 },
  Plot: { W: 6, H: 7 },
  Outcomes: { W: 4, H: 4 },
  Approvals: { W: 4, H: 6 },
  Text: { W: 4, H: 3 },
};

const HEIGHT_MAX = 40;

const overlap = (a: TilePosition, b: TilePosition): boolean =>
  a.Id !== b.Id && a.X < b.X + b.W && b.X < a.X + a.W && a.Y < b.Y + b.H && b.Y < a.Y + a.H;

/** Returns the tiles from the top left. */
export const readingOrder = <T extends TilePosition>(tiles: readonly T[]): T[] =>
  tiles.toSorted((a, b) => a.Y - b.Y || a.X - b.X);

/** Moves all tiles up as far as possible. The tile that was just moved goes first within its line. */
export function packed<T extends TilePosition>(tiles: readonly T[], first?: string): T[] {
  const placed: T[] = [];
  const rank = (tile: T): number => (tile.Id === first ? 0 : 1);
  for (const tile of tiles.toSorted((a, b) => a.Y - b.Y || rank(a) - rank(b) || a.X - b.X)) {
    let Y = tile.Y;
    while (placed.some((other) => overlap({ ...tile, Y }, other))) Y += 1;
    while (Y > 0 && !placed.some((other) => overlap({ ...tile, Y: Y - 1 }, other))) Y -= 1;
    placed.push({ ...tile, Y });
  }
  const byId = new Map(placed.map((tile) => [tile.Id, tile]));
  return tiles.map(({ Id }) => byId.get(Id)!);
}

export interface Step {
  x?: number;
  y?: number;
  w?: number;
  h?: number;
}

/** Moves or resizes a tile by a step; tiles in its way make room. */
export function moved<T extends TilePosition>(
  tiles: readonly T[],
  id: string,
  { x = 0, y = 0, w = 0, h = 0 }: Step,
): T[] {
  const tile = tiles.find(({ Id }) => Id === id);
  if (!tile) return [...tiles];
  const W = Math.min(DASHBOARD_COLUMNS, Math.max(1, tile.W + w));
  const H = Math.min(HEIGHT_MAX, Math.max(2, tile.H + h));
  const X = Math.min(DASHBOARD_COLUMNS - W, Math.max(0, tile.X + x));
  const beside = packed(
    tiles.map((other) => (other.Id === id ? { ...other, X, W, H } : other)),
    id,
  );
  return y === 0 ? beside : pastNeighbour(beside, id, y < 0 ? -1 : 1);
}

const shareColumns = (a: TilePosition, b: TilePosition): boolean => a.X < b.X + b.W && b.X < a.X + a.W;

/**
 * Moves a tile past the next tile that shares one of its columns. All tiles are packed upwards, so the order decides
 * what is above, not the line: moving one line would change nothing next to a tall tile.
 */
function pastNeighbour<T extends TilePosition>(tiles: readonly T[], id: string, direction: 1 | -1): T[] {
  const order = readingOrder(tiles);
  const from = order.findIndex(({ Id }) => Id === id);
  const tile = order[from]!;
  const to =
    direction > 0
      ? order.findIndex((other, index) => index > from && shareColumns(other, tile))
      : order.findLastIndex((other, index) => index < from && shareColumns(other, tile));
  if (to === -1) return [...tiles];
  order.splice(from, 1);
  order.splice(to, 0, tile);
  return stacked(tiles, order);
}

/**
 * Places each tile right below the tiles before it. Tiles that are packed already stay in place if the order is their
 * reading order.
 */
function stacked<T extends TilePosition>(tiles: readonly T[], order: readonly T[]): T[] {
  const placed: T[] = [];
  for (const tile of order) {
    const Y = placed.filter((other) => shareColumns(other, tile)).reduce((end, { Y, H }) => Math.max(end, Y + H), 0);
    placed.push({ ...tile, Y });
  }
  const byId = new Map(placed.map((tile) => [tile.Id, tile]));
  return tiles.map(({ Id }) => byId.get(Id)!);
}

/** Returns the first free position from the top, else one below all tiles. */
export function freePosition(
  tiles: readonly TilePosition[],
  { W, H }: { W: number; H: number },
): Omit<TilePosition, 'Id'> {
  const bottom = tiles.reduce((max, { Y, H: height }) => Math.max(max, Y + height), 0);
  for (let Y = 0; Y <= bottom; Y += 1) {
    for (let X = 0; X + W <= DASHBOARD_COLUMNS; X += 1) {
      if (!tiles.some((other) => overlap({ Id: '', X, Y, W, H }, other))) return { X, Y, W, H };
    }
  }
  return { X: 0, Y: bottom, W, H };
}

/** Returns an unused id. */
export function freeId(tiles: readonly TilePosition[]): string {
  const numbers = tiles.map(({ Id }) => Number(/^t(\d+)$/.exec(Id)?.[1] ?? 0));
  return `t${Math.max(0, ...numbers) + 1}`;
}
