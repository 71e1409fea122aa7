/** Pixels per line of tiles, and between two lines. Must match the style sheet. */
export const TILE_LINE = 40;
export const TILE_GAP = 12;
