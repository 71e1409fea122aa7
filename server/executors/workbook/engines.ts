/** The calculation engines of a thread, each created on first use. */
import type { CalculationEngine } from '#server/calculation/engine.ts';
import { CalculationError } from '#server/calculation/engine.ts';
import { createRunsheetEngine } from '#server/calculation/runsheet-engine.ts';
import type { InstalledOffice } from '../libreoffice/find-office.ts';
import { createLibreOfficeEngine } from '../libreoffice/libreoffice-engine.ts';

/** The engine that runs as a separate program. It may be missing, and its crashes do not harm the thread. */
export const LIBRE_OFFICE = 'libreoffice';

export const OURS = 'runsheet';

export interface Engines {
  /**
   * The names that versions store. The first is our own engine, which is preferred unless another matches Excel better.
   */
  names: readonly string[];
  /** Returns the engine of a version. Throws CalculationError 'unsupported' if this server does not have it. */
  named(name: string): CalculationEngine;
  /** Returns the display name, such as 'LibreOffice 7.4'. */
  title(name: string): string;
}

/** `office` is the result of findInstalledOffice; null disables LibreOffice. */
export function createEngines(office: InstalledOffice | null): Engines {
  const titles = new Map([[OURS, 'Runsheet']]);
  const create = new Map<string, () => CalculationEngine>([[OURS, createRunsheetEngine]]);
  if (office) {
    titles.set(LIBRE_OFFICE, `LibreOffice ${office.version}`.trim());
    create.set(LIBRE_OFFICE, () => createLibreOfficeEngine(office.program, undefined, office.hidden));
  }
  const created = new Map<string, CalculationEngine>();
  return {
    names: [...create.keys()],
    title: (name) => titles.get(name) ?? name,
    named(name) {
      let engine = created.get(name);
      if (!engine) {
        const make = create.get(name);
        if (!make) throw missing(name);
        created.set(name, (engine = make()));
      }
      return engine;
    },
  };
}

/** There is no fallback: another engine might return other numbers than those the version was checked with. */
function missing(name: string): CalculationError {
  const title = name === LIBRE_OFFICE ? 'LibreOffice' : name;
  return new CalculationError(
    'unsupported',
    `This version of the activity is calculated with ${title}, which this server does not have. ` +
      `An administrator can install it, or an editor upload the workbook as a new version.`,
  );
}
