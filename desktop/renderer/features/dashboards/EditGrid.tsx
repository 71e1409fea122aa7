import { Button, MenuItem, PopoverNext } from '@blueprintjs/core';
import { Edit, Move, Trash } from '@blueprintjs/icons';
import { useLayoutEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { GridLayout, type Layout } from 'react-grid-layout';
import { DASHBOARD_COLUMNS, type Tile, type TileData } from '#shared/contract/dashboards.ts';
import { t } from '#renderer/language/translate.ts';
import 'react-grid-layout/css/styles.css';
import { KeyMenu } from '#renderer/ui/KeyMenu.tsx';
import { moved, readingOrder, type Step } from './tile-layout.ts';
import { TILE_GAP, TILE_LINE } from './tile-lines.ts';
import { positionStyle } from './TileGrid.tsx';
import { KIND_TEXTS, tileTitle } from './tile-texts.ts';
import { TileView } from './TileView.tsx';

interface EditGridProps {
  tiles: readonly Tile[];
  data: readonly TileData[] | undefined;
  onChange: (tiles: readonly Tile[]) => void;
  onEdit: (tile: Tile) => void;
}

/** In pixels. Narrower grids show the tiles below each other, as on the dashboard itself. */
const NARROW = 700;
const GRID = {
  cols: DASHBOARD_COLUMNS,
  rowHeight: TILE_LINE,
  margin: [TILE_GAP, TILE_GAP],
  containerPadding: [0, 0],
} as const;
const DRAG = { enabled: true, handle: '.rs-tile-head', cancel: '.rs-tile-tools button:not(.rs-tile-move)' } as const;
const RESIZE = { enabled: true, handles: ['se'] } as const;

/** Editor for tiles, which can be moved and resized with mouse, touch and keys. */
export function EditGrid({ tiles, data, onChange, onEdit }: EditGridProps) {
  const { box, width } = useWidth();
  const [said, setSaid] = useState('');
  const step = (tile: Tile, by: Step): void => {
    const next = moved(tiles, tile.Id, by);
    onChange(next);
    setSaid(positionText(next.find(({ Id }) => Id === tile.Id)!));
  };
  const viewOf = (tile: Tile): ReactNode => {
    const shown = data?.find(({ Id }) => Id === tile.Id);
    return (
      <TileView
        tile={tile}
        data={shown}
        isLinked={false}
        tools={
          <Tools
            name={tileTitle(tile, shown) || KIND_TEXTS[tile.Kind]}
            onStep={(by) => step(tile, by)}
            onEdit={() => onEdit(tile)}
            onRemove={() => onChange(tiles.filter(({ Id }) => Id !== tile.Id))}
          />
        }
      />
    );
  };
  const take = (layout: Layout): void => {
    const positions = new Map(layout.map(({ i, x, y, w, h }) => [i, { X: x, Y: y, W: w, H: h }]));
    onChange(tiles.map((tile) => ({ ...tile, ...positions.get(tile.Id) })));
  };
  const isNarrow = width > 0 && width < NARROW;
  return (
    <div ref={box} className="rs-tiles-edited">
      {/* react-draggable looks up its style sheet by this id. Without this element it would insert a style sheet, which the content security policy forbids. */}
      <span id="react-draggable-style-el" hidden />
      <p className="rs-visually-hidden" role="status">
        {said}
      </p>
      {isNarrow && (
        <div className="rs-tiles">
          {readingOrder(tiles).map((tile) => (
            <div key={tile.Id} style={positionStyle(tile)}>
              {viewOf(tile)}
            </div>
          ))}
        </div>
      )}
      {width >= NARROW && (
        <GridLayout
          width={width}
          gridConfig={GRID}
          dragConfig={DRAG}
          resizeConfig={RESIZE}
          layout={tiles.map(({ Id, X, Y, W, H }) => ({ i: Id, x: X, y: Y, w: W, h: H, minH: 2 }))}
          onDragStop={take}
          onResizeStop={take}
        >
          {readingOrder(tiles).map((tile) => (
            <div key={tile.Id}>{viewOf(tile)}</div>
          ))}
        </GridLayout>
      )}
    </div>
  );
}

const positionText = ({ X, Y, W, H }: Tile): string =>
  t('Column {x}, row {y}, {w} wide, {h} high', { x: X + 1, y: Y + 1, w: W, h: H });

interface ToolsProps {
  name: string;
  onStep: (step: Step) => void;
  onEdit: () => void;
  onRemove: () => void;
}

const STEPS: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** Menu entries for users who can neither drag nor use keys. */
const MOVES: readonly [string, Step][] = [
  [t('Up'), { y: -1 }],
  [t('Down'), { y: 1 }],
  [t('To the left'), { x: -1 }],
  [t('To the right'), { x: 1 }],
  [t('Wider'), { w: 1 }],
  [t('Narrower'), { w: -1 }],
  [t('Taller'), { h: 1 }],
  [t('Shorter'), { h: -1 }],
];

function Tools({ name, onStep, onEdit, onRemove }: ToolsProps) {
  const onKeyDown = (event: KeyboardEvent): void => {
    const by = STEPS[event.key];
    if (!by || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    onStep(event.shiftKey ? { w: by[0], h: by[1] } : { x: by[0], y: by[1] });
  };
  return (
    <span className="rs-tile-tools">
      <PopoverNext
        placement="bottom-end"
        content={
          <KeyMenu>
            {MOVES.map(([text, by]) => (
              <MenuItem key={text} text={text} shouldDismissPopover={false} onClick={() => onStep(by)} />
            ))}
          </KeyMenu>
        }
      >
        <Button
          size="small"
          variant="minimal"
          className="rs-tile-move"
          icon={<Move title={false} />}
          aria-label={t('Move {name}', { name })}
          aria-haspopup="menu"
          title={t('Arrow keys move it, Shift+arrow keys resize it')}
          onKeyDown={onKeyDown}
        />
      </PopoverNext>
      <Button
        size="small"
        variant="minimal"
        icon={<Edit title={false} />}
        aria-label={t('Edit {name}', { name })}
        onClick={onEdit}
      />
      <Button
        size="small"
        variant="minimal"
        icon={<Trash title={false} />}
        aria-label={t('Remove {name}', { name })}
        onClick={onRemove}
      />
    </span>
  );
}

function useWidth() {
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const measure = (): void => setWidth(element.clientWidth);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { box, width };
}
