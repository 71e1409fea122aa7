/** Remembers the positions of windows and restores them if a screen still covers them. */
import { Type, type Static } from 'typebox';
import { Value } from 'typebox/value';
import type { Files } from './ports.ts';

/** Bounds of a window or screen, in system pixels. */
export interface Rectangle {
  x: number;
  y: number;
  width: number;
  height: number;
}

const Place = Type.Object({
  x: Type.Integer(),
  y: Type.Integer(),
  width: Type.Integer({ minimum: 200 }),
  height: Type.Integer({ minimum: 200 }),
  isMaximized: Type.Boolean(),
});
export type Place = Static<typeof Place>;

const Content = Type.Record(Type.String(), Place);
const FILE = 'windows.json';
/** Pixels of a window's top edge that must be visible on a screen for the user to move it. */
const VISIBLE = 80;

export interface WindowPlaces {
  /** Returns null if no position is known, or if no screen shows it any more. */
  find(name: string, screens: readonly Rectangle[]): Place | null;
  save(name: string, place: Place): Promise<void>;
}

export async function loadWindowPlaces(files: Files): Promise<WindowPlaces> {
  let places = parse(await files.read(FILE));
  let writing: Promise<void> = Promise.resolve();
  return {
    find: (name, screens) => {
      const place = places[name];
      return place && screens.some((screen) => isReachable(place, screen)) ? place : null;
    },
    save: (name, place) => {
      places = { ...places, [name]: place };
      const text = JSON.stringify(places);
      writing = writing.catch(() => undefined).then(() => files.write(FILE, text));
      return writing;
    },
  };
}

function isReachable({ x, y, width }: Place, screen: Rectangle): boolean {
  const across = Math.min(x + width, screen.x + screen.width) - Math.max(x, screen.x);
  return across >= VISIBLE && y >= screen.y && y <= screen.y + screen.height - VISIBLE;
}

function parse(text: string | null): Record<string, Place> {
  try {
    const content: unknown = JSON.parse(text ?? '{}');
    return Value.Check(Content, content) ? content : {};
  } catch {
    return {};
  }
}
