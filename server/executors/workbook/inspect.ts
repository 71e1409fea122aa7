/**
 * Inspects an uploaded file: its definition, its problems, and how well its recalculated results match its saved
 * values.
 */
import { CalculationError } from '#server/calculation/engine.ts';
import { compareWithSaved } from '#server/calculation/fidelity.ts';
import type { FidelityReport as Comparison } from '#server/calculation/fidelity-report.ts';
import { readWorkbook } from '#server/calculation/reader/read-workbook.ts';
import { WorkbookFileError, splitHowToFix } from '#server/calculation/reader/workbook-file-error.ts';
import type { RegionWish, WorkbookModel, WorkbookRegion } from '#server/calculation/reader/workbook-model.ts';
import { isOfPeople } from '#server/calculation/locale-detection/workbook-region.ts';
import { regionalSettings } from '#server/calculation/values/region/regions.ts';
import type { FidelityReport, WorkbookProblem } from '#shared/contract/fidelity.ts';
import type { ActivityDefinition } from '../activity-definition.ts';
import type { Inspection } from '../executor.ts';
import type { StepCapabilities } from '../step-services.ts';
import { circularProblems } from './circular-results.ts';
import { readDefinition } from './definitions/read-definition.ts';
import { LIBRE_OFFICE, OURS } from './engines.ts';
import type { Engines } from './engines.ts';
import { fidelityReport } from './fidelity-report.ts';
import { createOwnCalculation } from './own-calculation.ts';
import { openPackage } from './package.ts';
import type { WorkbookPackage } from './package.ts';
import { measureGrowthSpace } from './room/growth-space.ts';

/** What the uploader states about a workbook, and what its steps may use. */
export interface Inspected {
  fileName: string;
  acceptUnsupported: readonly string[];
  region: RegionWish;
  capabilities: StepCapabilities;
}

/**
 * Never throws because of the file's contents: problems are returned in `problems`. Throws CalculationError 'limit' or
 * 'failed' if the engine broke and the thread must be replaced.
 */
export async function inspectWorkbook(
  bytes: Uint8Array,
  { fileName, acceptUnsupported, region, capabilities }: Inspected,
  engines: Engines,
): Promise<Inspection> {
  let model: WorkbookModel;
  let source: WorkbookPackage;
  try {
    source = await openPackage(bytes);
    model = { ...readWorkbook(source), regionWish: region };
  } catch (error) {
    if (error instanceof WorkbookFileError) return refused([fileProblem(fileName, error.message)]);
    throw error;
  }
  const own = createOwnCalculation(model, engines.named(OURS));
  const { definition, problems, findings, watched, read } = readDefinition(
    model,
    capabilities,
    own.calculated,
    (table, parameters) => measureGrowthSpace(source, model, table, parameters),
  );
  try {
    const { engine, comparison } = bestEngine(model, watched.length > 0 ? watched : null, {
      ...engines,
      named: (name) => (name === OURS ? own.engine : engines.named(name)),
    });
    const compared = fidelityReport(model, engines.title(engine), comparison);
    const fidelity = findings.length > 0 ? { ...compared, Findings: findings } : compared;
    const all = [
      ...problems,
      ...circularResults(engine, comparison, () => circularProblems(model, read, own.nonConverged())),
      ...unsupportedProblems(fidelity, acceptUnsupported),
    ];
    return {
      definition: all.length === 0 && definition ? { ...inRegion(definition, comparison.regionOrigin), engine } : null,
      problems: all,
      fidelity,
    };
  } catch (error) {
    if (!(error instanceof CalculationError) || error.code === 'limit' || error.code === 'failed') throw error;
    return refused([...problems, calculationProblem(error.message)]);
  }
}

/** Milliseconds after which no other engine is tried, because the upload has a total time limit. */
const ENOUGH = 20_000;

/**
 * Returns the engine that matches most of the saved values; on a tie, the first one. If no engine can calculate the
 * file, rethrows our own engine's error.
 */
function bestEngine(
  model: WorkbookModel,
  outputs: Parameters<typeof compareWithSaved>[2],
  engines: Engines,
): { engine: string; comparison: Comparison } {
  const start = performance.now();
  let best: { engine: string; comparison: Comparison } | null = null;
  let failure: unknown = null;
  for (const engine of engines.names) {
    if (best && performance.now() - start > ENOUGH) break;
    // Other engines do not support regions.
    if (engine !== OURS && needsRegion(best?.comparison.regionOrigin ?? model.regionWish)) break;
    try {
      const comparison = compareWithSaved(model, engines.named(engine), outputs);
      if (!best || comparison.different < best.comparison.different) best = { engine, comparison };
      if (comparison.different === 0) break;
    } catch (error) {
      // LibreOffice runs as a separate process: its failure harms neither this thread nor our own engine's result.
      if (engine === LIBRE_OFFICE) continue;
      // If our own engine exceeds its limits, no other engine is tried.
      if (!(error instanceof CalculationError) || error.code === 'limit') throw error;
      failure = error;
    }
  }
  if (!best) throw failure;
  return best;
}

/** Returns true if a person chose a region that reads texts differently from the United States. */
function needsRegion(said: WorkbookRegion | RegionWish = {}): boolean {
  if ('id' in said) return isOfPeople(said) && said.id !== 'en-US';
  const { chosen, before } = said;
  return chosen === undefined ? before !== undefined && needsRegion(before) : chosen !== 'en-US';
}

/**
 * Adds the region to the definition, and to its inputs the settings that read texts of files. Adds no settings to
 * inputs if no region is known or chosen.
 */
export function inRegion(definition: ActivityDefinition, region: WorkbookRegion | null): ActivityDefinition {
  if (!region) return definition;
  const settings = region.source === 'None' ? undefined : regionalSettings(region.id);
  if (!settings) return { ...definition, region };
  const Region = { Id: region.id, Decimal: settings.decimal, Group: settings.group, DayOrder: settings.dayOrder };
  const inputs = definition.inputs.map((input) => ({ ...input, Info: { ...input.Info, Region } }));
  return { ...definition, region, inputs };
}

export function refused(problems: WorkbookProblem[]): Inspection {
  return { definition: null, problems, fidelity: null };
}

export function fileProblem(fileName: string, message: string): WorkbookProblem {
  const { problem, howToFix } = splitHowToFix(message);
  return { Sheet: '', Cell: '', Message: `The file '${fileName}' cannot be read: ${problem}`, Remedy: howToFix };
}

export function calculationProblem(message: string): WorkbookProblem {
  return {
    Sheet: '',
    Cell: '',
    Message: `The workbook cannot be calculated: ${message.replace(/\.$/, '')}.`,
    Remedy: 'Change the formulas concerned, save the workbook and upload it again.',
  };
}

/** `ours` finds the results that depend on themselves. Another engine cannot tell which they are, and every run that it calculates fails. */
function circularResults(engine: string, { circular }: Comparison, ours: () => WorkbookProblem[]): WorkbookProblem[] {
  if (circular === null) return [];
  return engine === OURS ? ours() : [calculationProblem(circular)];
}

function unsupportedProblems(fidelity: FidelityReport, accepted: readonly string[]): WorkbookProblem[] {
  const names = new Set(accepted.map((name) => name.trim().toUpperCase()));
  return fidelity.Unsupported.filter(({ Name, FeedsOutput }) => FeedsOutput && !names.has(Name.toUpperCase())).map(
    ({ Name, Sheet, Cell }) => ({
      Sheet,
      Cell,
      Message: `An output depends on ${Name}, which the calculation engine does not support: the output would be wrong.`,
      Remedy: `Replace ${Name} in the formula, or accept it by name if its result does not matter.`,
    }),
  );
}
