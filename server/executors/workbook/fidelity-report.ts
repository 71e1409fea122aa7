/** Builds the fidelity report of a version in the form of the contract. */
import type { FidelityReport as Comparison, ReportedValue } from '#server/calculation/fidelity-report.ts';
import type { WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import type { FidelityReport } from '#shared/contract/fidelity.ts';

const MAX_DIFFERENCES = 1000;
/** Maximum length of a formula or text stored for a difference. */
const MAX_TEXT_LENGTH = 1000;

/** Converts the result of a comparison to the form that is stored and displayed. */
export function fidelityReport(model: WorkbookModel, engine: string, comparison: Comparison): FidelityReport {
  const { cells } = comparison;
  const feeding = cells.filter(({ feedsOutput }) => feedsOutput);
  const others = cells.filter(({ feedsOutput }) => !feedsOutput);
  return {
    Engine: engine,
    ...(comparison.region === 'en-US' ? {} : { Region: comparison.region }),
    ...(comparison.regionOrigin ? { RegionSource: comparison.regionOrigin.source } : {}),
    Formulas: comparison.formulas,
    Equal: comparison.equal,
    Different: comparison.different,
    DifferentFeedingOutputs: feeding.length,
    NotCompared: comparison.notCompared,
    NotComparedFeedingOutputs: comparison.notComparedFeedingOutputs,
    NotComparedReasons: comparison.notComparedReasons.map(({ reason, formulas }) => ({
      Reason: reason,
      Formulas: formulas,
    })),
    NotComparedCells: comparison.notComparedCells.map((cell) => ({
      Sheet: cell.sheet,
      Cell: cell.cell,
      Formula: cell.formula.slice(0, MAX_TEXT_LENGTH),
      Reason: cell.reason,
      DependsOn: cell.dependsOn,
      FeedsOutput: cell.feedsOutput,
    })),
    NotComparedOutputs: comparison.notComparedOutputs.map(({ output, sheet, cell, reason }) => ({
      Output: output,
      Sheet: sheet,
      Cell: cell,
      Reason: reason,
    })),
    Volatile: comparison.volatile,
    Unsupported: comparison.unsupported.map(({ name, first, feedsOutput }) => {
      const at = first.lastIndexOf('!');
      return { Name: name, Sheet: first.slice(0, at), Cell: first.slice(at + 1), FeedsOutput: feedsOutput };
    }),
    ExternalLinks: model.externalLinks.map((link) => link.slice(0, MAX_TEXT_LENGTH)),
    Differences: [...feeding, ...others].slice(0, MAX_DIFFERENCES).map((cell) => ({
      Sheet: cell.sheet,
      Cell: cell.cell,
      Formula: cell.formula.slice(0, MAX_TEXT_LENGTH),
      Saved: shown(cell.saved),
      Got: shown(cell.got),
      Reason: cell.reason,
      FeedsOutput: cell.feedsOutput,
    })),
  };
}

function shown(value: ReportedValue): string {
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  return value === null ? '' : String(value).slice(0, MAX_TEXT_LENGTH);
}
