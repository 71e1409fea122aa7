import decodeQR from 'qr/decode.js';
import { expect, test } from 'vitest';
import { qrPicture } from './qr-picture.ts';

const SCALE = 4;

/** Draws the picture as a camera sees it: only its path, dark on white. */
function draw({ size, path }: { size: number; path: string }) {
  const width = size * SCALE;
  const data = new Uint8Array(width * width * 4).fill(255);
  for (const [, x, y, length] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\3z/g)) {
    for (let row = Number(y) * SCALE; row < (Number(y) + 1) * SCALE; row++) {
      const start = (row * width + Number(x) * SCALE) * 4;
      for (let at = start; at < start + Number(length) * SCALE * 4; at++) if (at % 4 !== 3) data[at] = 0;
    }
  }
  return { width, height: width, data };
}

test.each([
  'otpauth://totp/Runsheet:admin?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Runsheet&algorithm=SHA1&digits=6&period=30',
  `otpauth://totp/${encodeURIComponent('ש'.repeat(50))}:${encodeURIComponent('日'.repeat(50))}?secret=JBSWY3DPEHPK3PXP`,
])('a reader finds in the picture what was put in: %s', (text) => {
  expect(decodeQR(draw(qrPicture(text)))).toBe(text);
});
