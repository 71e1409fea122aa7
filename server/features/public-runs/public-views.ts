/** What of an activity and of a run visitors get to see: what they fill in, what comes of it, and nothing else. */
import { isFolderUsage, isHiddenColumn, valueShape, wholeSpecification } from '#shared/codecs/input-form.ts';
import type { Activity } from '#shared/contract/activities.ts';
import type { Input, InputInfo } from '#shared/contract/parameters.ts';
import type { PublicActivity } from '#shared/contract/public-runs.ts';
import type { ActivityRun, RunState } from '#shared/contract/runs.ts';
import { publicLog } from './public-log.ts';

export function publicActivity({ WorkbookRegion: _region, ...activity }: Activity, IsRunning: boolean): PublicActivity {
  return {
    ...activity,
    Schema: '',
    Group: '',
    Order: null,
    MemoryCost: 0,
    ProcedureName: null,
    Procedure: null,
    CanEdit: false,
    Inputs: activity.Inputs.filter(isShown).map(publicInput),
    ActivityLinks: [],
    Schedule: null,
    RunRetention: null,
    LastRun: null,
    IsRunning,
  };
}

const isShown = ({ Info }: Pick<Input, 'Info'>): boolean => wholeSpecification(Info) !== 'Hidden';

/** Whether its values are names of the server's own things. */
export const isInternal = ({ CellUsages }: Pick<InputInfo, 'CellUsages'>): boolean =>
  CellUsages.some((usage) => isFolderUsage(usage) || usage === 'ConnectionString');

function publicInput(input: Input): Input {
  const isOwn = isInternal(input.Info);
  return {
    ...input,
    // That it is preset has to be known, what to does not.
    PresetValue: input.PresetValue !== null && isOwn ? 'null' : input.PresetValue,
    PresetValueError: null,
    Info: { ...input.Info, DefaultValue: isOwn ? null : withoutHiddenColumns(input.Info) },
  };
}

/** The default rows, blank where the form shows nothing. */
function withoutHiddenColumns(info: InputInfo): string | null {
  if (info.DefaultValue === null || valueShape(info) !== 'rows' || !info.Specifications.includes('Hidden')) {
    return info.DefaultValue;
  }
  const rows = JSON.parse(info.DefaultValue) as unknown[][];
  return JSON.stringify(
    rows.map((cells, row) => cells.map((cell, col) => (isHiddenColumn(info, row, col) ? null : cell))),
  );
}

export function publicRun(run: ActivityRun): ActivityRun {
  // The calculated workbook is the activity itself.
  const files = run.StoredFiles.filter(({ ActivityParameterId }) => ActivityParameterId !== null);
  return {
    ...run,
    UserFullName: '',
    CanPurge: false,
    CanCancel: false,
    CanEdit: false,
    RetryOf: null,
    SourceRunId: null,
    StoredFileNames: files.map(({ FileName }) => FileName),
    StoredFiles: files.map((file) => ({ ...file, DocumentId: '' })),
    Inputs: run.Inputs.filter((input) => !input.HasPresetValue && isShown({ Info: input.ParameterInfo })),
    LogEntries: publicLog(run.LogEntries, run.Outputs),
    ActivityLinks: [],
  };
}

export const publicState = (state: RunState): RunState => ({
  ...state,
  LogEntries: publicLog(state.LogEntries, state.Outputs),
  ChildStatuses: {},
});
