/**
 * Returns true if a file name matches a pattern in which * stands for any characters and ? for one, ignoring case.
 * Takes linear time per star.
 */
export function fitsPattern(fileName: string, pattern: string): boolean {
  const name = Array.from(fileName.normalize('NFC').toLowerCase());
  const wanted = Array.from(pattern.normalize('NFC').toLowerCase());
  let at = 0;
  let next = 0;
  let star = -1;
  let starAt = 0;
  while (at < name.length) {
    if (wanted[next] === '*') {
      star = next++;
      starAt = at;
    } else if (wanted[next] === '?' || wanted[next] === name[at]) {
      next += 1;
      at += 1;
    } else if (star >= 0) {
      // Lets the last star match one more character.
      next = star + 1;
      at = ++starAt;
    } else return false;
  }
  return wanted.slice(next).every((character) => character === '*');
}
