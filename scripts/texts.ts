/**
 * Brings the catalogues of all languages in line with the screens: `npm run texts`. New texts get an empty translation, which a test refuses;
 * texts that are shown no more are taken out, and those needed before the sign-in go into a part of their own.
 */
import { readdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { catalogueFile, readCatalogue, readScreens, wantedParts, type Part } from './screen-texts.ts';

const FOLDER = fileURLToPath(new URL('../desktop/renderer/language/', import.meta.url));
const wanted = wantedParts(readScreens());
const languages = readdirSync(FOLDER, { withFileTypes: true }).filter((entry) => entry.isDirectory());

for (const { name: language } of languages) {
  const known = { ...readCatalogue(language, 'start'), ...readCatalogue(language, 'rest') };
  for (const part of ['start', 'rest'] as const) write(language, part, wanted[part], known);
  const empty = [...wanted.start, ...wanted.rest].filter((text) => !known[text]);
  process.stdout.write(`${language}: ${empty.length} texts to translate\n`);
}

function write(language: string, part: Part, texts: ReadonlySet<string>, known: Record<string, string>): void {
  const entries = [...texts].toSorted().map((text) => [text, known[text] ?? '']);
  writeFileSync(catalogueFile(language, part), `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`);
}
