/** What a report says about the run itself. */
import type { FidelitySummary } from '#shared/contract/fidelity-summary.ts';
import { FIRST_SYSTEM_STATUS_CODE, LogCategory, OUTCOME_TEXT, type LogEntry } from '#shared/contract/run-status.ts';
import type { ActivityRun } from '#shared/contract/runs.ts';
import type { ReportWords } from './report-words.ts';

/** Returns the facts with their names, in the order of the printed page. */
export function runFacts(run: ActivityRun, words: ReportWords, made: string, timeZone: string): [string, string][] {
  const facts: [string, string | null][] = [
    ['Run number', String(run.Id)],
    ['Version', String(run.ActivityVersion)],
    ['Run by', run.UserFullName],
    ['Queued', words.time(run.QueueTime)],
    ['Started', run.StartTime && words.time(run.StartTime)],
    ['Ended', run.EndTime && words.time(run.EndTime)],
    ['Part of', run.ChecklistName],
    ['Fidelity', run.Fidelity ? fidelityText(run.Fidelity, words) : null],
    ['PDF created', words.time(made)],
    ['Time zone', timeZone],
  ];
  return facts.flatMap(([name, value]) => (value === null ? [] : [[words.text(name), value]]));
}

function fidelityText(fidelity: FidelitySummary, words: ReportWords): string {
  const { Formulas, Different, DifferentFeedingOutputs, NotCompared } = fidelity;
  if (Formulas === 0 && NotCompared === 0) return words.text('This workbook has no formulas to compare.');
  if (Formulas === 0) return words.text('No formula was compared with the values Excel saved.');
  if (Different > 0 || NotCompared !== 0)
    return words.text(
      '{formulas} of {total} formulas were compared with the values Excel saved. Different values: {different}, of which {feeding} affect outputs.',
      {
        formulas: words.number(Formulas),
        total: words.number(Formulas + (NotCompared ?? 0)),
        different: words.number(Different),
        feeding: words.number(DifferentFeedingOutputs),
      },
    );
  return Formulas === 1
    ? words.text("The only formula matches Excel's saved value")
    : words.text("All {count} formulas match Excel's saved values", { count: words.number(Formulas) });
}

/** Returns the outcome, and why something went wrong. */
export function outcomeLines(run: ActivityRun, words: ReportWords): string[] {
  const outcome = OUTCOME_TEXT[run.Status];
  const reason = run.Status === 'Succeeded' ? undefined : reasonEntry(run.LogEntries);
  return [
    ...(outcome ? [words.text(outcome)] : []),
    ...(reason ? [words.said(reason.displayMessage || reason.Message)] : []),
  ];
}

/** Prefers an error that the user can act on, like the page of the run. */
const reasonEntry = (entries: readonly LogEntry[]): LogEntry | undefined =>
  entries.find(({ Category, StatusCode }) => Category === LogCategory.Error && StatusCode < FIRST_SYSTEM_STATUS_CODE) ??
  entries.find(({ Category }) => Category > LogCategory.Warning) ??
  entries.find(({ Category }) => Category === LogCategory.Warning);
