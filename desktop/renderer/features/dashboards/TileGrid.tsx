import type { CSSProperties } from 'react';
import type { Tile, TileData } from '#shared/contract/dashboards.ts';
import { readingOrder } from './tile-layout.ts';
import { TileView } from './TileView.tsx';

/** All tiles at their positions, or below each other on narrow screens. */
export function TileGrid({
  tiles,
  data,
  isLinked,
}: {
  tiles: readonly Tile[];
  data: readonly TileData[] | undefined;
  isLinked: boolean;
}) {
  return (
    <div className="rs-tiles">
      {readingOrder(tiles).map((tile) => (
        <div key={tile.Id} style={positionStyle(tile)}>
          <TileView tile={tile} data={data?.find(({ Id }) => Id === tile.Id)} isLinked={isLinked} />
        </div>
      ))}
    </div>
  );
}

export const positionStyle = ({ X, Y, W, H }: Tile): CSSProperties =>
  ({
    gridColumn: `${X + 1} / span ${W}`,
    gridRow: `${Y + 1} / span ${H}`,
    '--rs-tile-lines': H,
  }) as CSSProperties;
