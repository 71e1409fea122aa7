/**
 * `npm run texts`: updates the catalogues of all languages from the screens and the texts of the server. New texts get
 * an empty translation, which a test rejects. Texts that are no longer shown are removed. Texts that are needed before
 * sign-in go into a separate part.
 */
import { readdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { catalogueFile, readCatalogue, readScreens, SCREEN_PARTS, wantedParts, type Part } from './screen-texts.ts';
import { readServerTexts } from './server-texts.ts';

const FOLDER = fileURLToPath(new URL('../desktop/renderer/language/', import.meta.url));
const wanted = wantedParts(readScreens());
const languages = readdirSync(FOLDER, { withFileTypes: true }).filter((entry) => entry.isDirectory());

for (const { name: language } of languages) {
  const known = Object.assign({}, ...SCREEN_PARTS.map((part) => readCatalogue(language, part))) as Record<
    string,
    string
  >;
  for (const part of SCREEN_PARTS) write(language, part, wanted[part], known);
  const early = readCatalogue(language, 'messages');
  const said = withMessages(readCatalogue(language, 'more-messages'), early, known);
  write(language, 'more-messages', new Set(Object.keys(said)), said);
  const shown = SCREEN_PARTS.flatMap((part) => [...wanted[part]]);
  const empty = [...shown, ...Object.keys(said)].filter((text) => !(known[text] ?? said[text]));
  process.stdout.write(`${language}: ${empty.length} texts to translate\n`);
}

/**
 * Adds new server texts. Texts that differ only in the names of their values count as known. Nothing is removed,
 * because some texts are composed of others or belong to the desktop client.
 */
function withMessages(
  messages: Record<string, string>,
  early: Record<string, string>,
  screens: Record<string, string>,
): Record<string, string> {
  const plain = (text: string): string => text.replaceAll(/\{\w+\}/g, '{}');
  const known = new Set([...Object.keys(messages), ...Object.keys(early)].map(plain));
  const fresh = readServerTexts().filter(
    ({ text }) => !known.has(plain(text)) && (text.includes('{') || screens[text] === undefined),
  );
  return { ...messages, ...Object.fromEntries(fresh.map(({ text }) => [text, ''])) };
}

function write(language: string, part: Part, texts: ReadonlySet<string>, known: Record<string, string>): void {
  const entries = [...texts].toSorted().map((text) => [text, known[text] ?? '']);
  writeFileSync(catalogueFile(language, part), `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`);
}
