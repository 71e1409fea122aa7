import encodeQR from 'qr';

/** Light modules around the code; readers need this quiet zone. Source: ISO/IEC 18004, section 6.3.8. */
const QUIET = 4;

export interface QrPicture {
  /** Modules per row, including the quiet zone. */
  size: number;
  /** The dark modules as an SVG path, for a view box of that size. */
  path: string;
}

/** Encodes a text as a QR code with 15 % error correction. */
export function qrPicture(text: string): QrPicture {
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: QUIET });
  // Adjacent modules of a row are drawn as one shape, so that no hairline shows between them.
  const runs = rows.flatMap((row, y) => darkRuns(row).map(([x, width]) => `M${x} ${y}h${width}v1h-${width}z`));
  return { size: rows.length, path: runs.join('') };
}

function darkRuns(row: readonly boolean[]): [start: number, length: number][] {
  const runs: [number, number][] = [];
  row.forEach((isDark, x) => {
    if (!isDark) return;
    const last = runs.at(-1);
    if (last && last[0] + last[1] === x) last[1]++;
    else runs.push([x, 1]);
  });
  return runs;
}
