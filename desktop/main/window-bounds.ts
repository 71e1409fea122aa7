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

const WindowBounds = Type.Object({
  x: Type.Integer(),
  y: Type.Integer(),
  width: Type.Integer({ minimum: 200 }),
  height: Type.Integer({ minimum: 200 }),
  isMaximized: Type.Boolean(),
});
export type WindowBounds = Static<typeof WindowBounds>;

const Content = Type.Record(Type.String(), WindowBounds);
const FILE = 'windows.json';
/** Pixels of a window's top edge that must be visible on a screen for the user to move it. */
const VISIBLE = 80;

export interface WindowBoundsStore {
  /** Returns null if no position is known, or if no screen shows it any more. */
  find(name: string, screens: readonly Rectangle[]): WindowBounds | null;
  save(name: string, bounds: WindowBounds): Promise<void>;
}

export async function loadWindowBounds(files: Files): Promise<WindowBoundsStore> {
  let known = parse(await files.read(FILE));
  let writing: Promise<void> = Promise.resolve();
  return {
    find: (name, screens) => {
      const bounds = known[name];
      return bounds && screens.some((screen) => isReachable(bounds, screen)) ? bounds : null;
    },
    save: (name, bounds) => {
      known = { ...known, [name]: bounds };
      const text = JSON.stringify(known);
      writing = writing.catch(() => undefined).then(() => files.write(FILE, text));
      return writing;
    },
  };
}

function isReachable({ x, y, width }: WindowBounds, screen: Rectangle): boolean {
  const across = Math.min(x + width, screen.x + screen.width) - Math.max(x, screen.x);
  return across >= VISIBLE && y >= screen.y && y <= screen.y + screen.height - VISIBLE;
}

function parse(text: string | null): Record<string, WindowBounds> {
  try {
    const content: unknown = JSON.parse(text ?? '{}');
    return Value.Check(Content, content) ? content : {};
  } catch {
    return {};
  }
}
