/** Makes PDF files of runs, with the rights, the values and the order of the page of a run. */
import type { QueryOf } from '#shared/contract/endpoint.ts';
import { isPending } from '#shared/contract/run-status.ts';
import type { downloadRunPdf } from '#shared/contract/runs.ts';
import { isTimeZone } from '#server/base/zone-time.ts';
import { AppError } from '#server/base/app-error.ts';
import type { Person } from '#server/base/person.ts';
import type { FilesService } from '#server/features/files/files-service.ts';
import type { UsersService } from '#server/features/users/users-service.ts';
import type { Reader } from '#server/sheets/report/report-words.ts';
import type { RunReportBuilder } from '#server/sheets/report/run-report-builder.ts';
import type { RunsService } from './runs-service.ts';

export type ReportWishes = QueryOf<typeof downloadRunPdf>;

export interface RunPdfService {
  /** Returns the token of a new file. Throws an AppError if the person may not see the run, or if it has not ended. */
  token(person: Person, runId: number, wishes: ReportWishes, signal: AbortSignal): Promise<string>;
}

export interface RunPdfDeps {
  runs: Pick<RunsService, 'details'>;
  users: Pick<UsersService, 'screenChoicesOf'>;
  files: Pick<FilesService, 'tokenForNew'>;
  reports: RunReportBuilder;
  /** Of the server; used if the person names none. */
  timeZone: string;
}

const REGION_OF_LANGUAGE = { en: 'en-US', de: 'de-DE' } as const;

export function createRunPdfService({ runs, users, files, reports, timeZone }: RunPdfDeps): RunPdfService {
  const readerOf = async (person: Person, wishes: ReportWishes): Promise<Reader> => {
    const zone = wishes.TimeZone ?? timeZone;
    if (!isTimeZone(zone)) throw new AppError('timeZone', 400, 'Enter a time zone such as Europe/Berlin');
    const chosen = await users.screenChoicesOf(person);
    const language = wishes.Language ?? chosen.Language ?? 'en';
    const region = wishes.Region ?? chosen.Region ?? REGION_OF_LANGUAGE[language];
    return { language, region, timeZone: zone };
  };

  return {
    token: async (person, runId, wishes, signal) => {
      const run = await runs.details(person, runId);
      if (isPending(run.Status)) throw new AppError('runPending', 409, 'The run has not ended yet');
      const reader = await readerOf(person, wishes);
      const source = { run, reader, plotted: plottedOf(wishes), made: new Date().toISOString() };
      const bytes = await reports.build(source, person.UserId, signal);
      return files.tokenForNew(person, `${run.Name} ${runId}.pdf`, bytes);
    },
  };
}

function plottedOf({ Plots }: ReportWishes): number[] | null {
  if (Plots === undefined) return null;
  return Plots === '' ? [] : Plots.split(',').map(Number);
}
