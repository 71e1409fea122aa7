/** The calculation engines of a thread, each made when it is first needed. */
import type { CalculationEngine } from '#server/calculation/engine.ts';
import { CalculationError } from '#server/calculation/engine.ts';
import { createRunsheetEngine } from '#server/calculation/runsheet-engine.ts';
import type { InstalledOffice } from '../libreoffice/find-office.ts';
import { createLibreOfficeEngine } from '../libreoffice/libreoffice-engine.ts';

/** The engine that is a program of its own: it may be there or not, and breaks without harm to the thread. */
export const LIBRE_OFFICE = 'libreoffice';

export const OURS = 'runsheet';

export interface Engines {
  /** By the names that versions know them by; the first is ours, and preferred where others agree with Excel no better. */
  names: readonly string[];
  /** The engine of a version. Throws CalculationError 'unsupported' where this server does not have it. */
  named(name: string): CalculationEngine;
  /** Its name for people, such as 'LibreOffice 7.4'. */
  title(name: string): string;
}

/** `office`: what findInstalledOffice found; null where LibreOffice is not to be used. */
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

/** Another engine might give other numbers than those the version was checked with. */
function missing(name: string): CalculationError {
  const title = name === LIBRE_OFFICE ? 'LibreOffice' : name;
  return new CalculationError(
    'unsupported',
    `This version of the activity is calculated with ${title}, which this server does not have. ` +
      `An administrator can install it, or an editor upload the workbook as a new version.`,
  );
}
