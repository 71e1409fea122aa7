/** Builds a page that shows the pictures side by side, one line per screen. */
import type { Screen } from './screens.ts';

export function indexPage(screens: readonly Screen[], widths: readonly number[], themes: readonly string[]): string {
  const line = ({ name, path }: Screen): string => {
    const pictures = themes.flatMap((theme) => widths.map((width) => `${name}-${width}-${theme}.png`));
    const images = pictures.map((file) => `<a href="${file}"><img src="${file}" height="300" loading="lazy"></a>`);
    return `<h2>${name} <small>${path.replaceAll('&', '&amp;')}</small></h2><p>${images.join(' ')}</p>`;
  };
  return `<!doctype html><meta charset="utf-8"><title>Screens</title>
<style>body { font: 14px sans-serif } p { white-space: nowrap } img { border: 1px solid #888 }</style>
${screens.map(line).join('\n')}
`;
}
