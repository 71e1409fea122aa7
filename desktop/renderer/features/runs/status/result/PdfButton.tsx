import { Button } from '@blueprintjs/core';
import { Document } from '@blueprintjs/icons';
import { useState } from 'react';
import { REGION_IDS } from '#shared/codecs/text-region.ts';
import type { QueryOf } from '#shared/contract/endpoint.ts';
import { downloadRunPdf, type ActivityRun } from '#shared/contract/runs.ts';
import { call } from '#renderer/api/client.ts';
import { personRegion } from '#renderer/language/region.ts';
import { currentLocale, t } from '#renderer/language/translate.ts';
import { startDownload } from '#renderer/ui/downloads.ts';
import { dragOf } from '#renderer/ui/drag-file.ts';
import type { ChosenPlots } from '#renderer/ui/values/use-chosen-plots.ts';

interface PdfButtonProps {
  run: ActivityRun;
  plots: ChosenPlots;
}

/** Downloads the run as a PDF file, with the plots that the page shows. */
export function PdfButton({ run, plots }: PdfButtonProps) {
  const [isMaking, setMaking] = useState(false);
  const token = (): Promise<string> =>
    call(downloadRunPdf, { params: { runId: run.Id }, query: reportQuery(run, plots) });
  const download = async (): Promise<void> => {
    setMaking(true);
    await startDownload(token());
    setMaking(false);
  };
  return (
    <Button
      size="small"
      icon={<Document />}
      text={t('PDF')}
      title={t('Download all rows and inputs as a PDF file')}
      loading={isMaking}
      onClick={() => void download()}
      {...dragOf(token)}
    />
  );
}

/** Limits the length of the address. The page of a run with more plots is hardly readable. */
const MAX_PLOTS = 100;

function reportQuery({ Outputs }: ActivityRun, plots: ChosenPlots): QueryOf<typeof downloadRunPdf> {
  const Region = REGION_IDS.find((id) => id === personRegion().Id);
  const plotted = Outputs.filter(({ Name }) => plots.isChosen(Name)).slice(0, MAX_PLOTS);
  return {
    Language: currentLocale() === 'de' ? 'de' : 'en',
    TimeZone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
    Plots: plotted.map(({ Id }) => Id).join(','),
    ...(Region && { Region }),
  };
}
