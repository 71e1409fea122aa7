/** The parts of an activity and a run that visitors may see: the inputs they fill in, and the results. */
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

export const isShown = ({ Info }: Pick<Input, 'Info'>): boolean => wholeSpecification(Info) !== 'Hidden';

/** Returns whether the values are names of server resources: folders or connections. */
export const isInternal = ({ CellUsages }: Pick<InputInfo, 'CellUsages'>): boolean =>
  CellUsages.some((usage) => isFolderUsage(usage) || usage === 'ConnectionString');

function publicInput(input: Input): Input {
  const isOwn = isInternal(input.Info);
  return {
    ...input,
    // Visitors must know that the input is preset, but not its value.
    PresetValue: input.PresetValue !== null && isOwn ? 'null' : input.PresetValue,
    PresetValueError: null,
    Info: { ...input.Info, DefaultValue: isOwn ? null : withoutHiddenColumns(input.Info) },
  };
}

/** Returns the default rows with blanks in hidden cells. */
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
  // The calculated workbook would reveal the activity itself.
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
