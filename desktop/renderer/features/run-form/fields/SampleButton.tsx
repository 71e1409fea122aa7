import { Button } from '@blueprintjs/core';
import { Download } from '@blueprintjs/icons';
import { downloadSampleFile } from '#shared/contract/forms.ts';
import type { Input } from '#shared/contract/parameters.ts';
import { startDownload } from '#renderer/ui/downloads.ts';
import { t } from '#renderer/language/translate.ts';
import { sampleToken } from '#renderer/features/run-form/form-calls.ts';
import type { FormOrigin } from '#renderer/features/run-form/form-origin.ts';

/** Downloads a sample file with the columns that the input expects. */
export function SampleButton({ input, origin }: { input: Input; origin: FormOrigin }) {
  return (
    <div>
      <Button
        variant="minimal"
        size="small"
        icon={<Download />}
        text={t('Sample file: {sampleFilePath}', { sampleFilePath: input.Info.SampleFilePath })}
        onClick={() => void startDownload(sampleToken(origin, input.Id), downloadSampleFile)}
      />
    </div>
  );
}
