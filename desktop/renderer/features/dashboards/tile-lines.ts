/** Pixels of a line of tiles, and between two. The style sheet has them, too. */
export const TILE_LINE = 40;
export const TILE_GAP = 12;
