import { Button } from '@blueprintjs/core';
import { Download } from '@blueprintjs/icons';
import { downloadSample, downloadSampleFile } from '#shared/contract/forms.ts';
import type { Input } from '#shared/contract/parameters.ts';
import { call } from '#renderer/api/client.ts';
import { startDownload } from '#renderer/features/runs/downloads.ts';

/** A file with the columns that the input wants. */
export function SampleButton({ input }: { input: Input }) {
  return (
    <div>
      <Button
        variant="minimal"
        size="small"
        icon={<Download />}
        text={`Sample file: ${input.Info.SampleFilePath}`}
        onClick={() => void startDownload(call(downloadSample, { params: { id: input.Id } }), downloadSampleFile)}
      />
    </div>
  );
}
