import { useMemo } from 'react';
import { useStore } from 'zustand';
import { Card } from '#renderer/ui/Page.tsx';
import { ValuesView, type ShownValue } from '#renderer/ui/values/ValuesView.tsx';
import { t } from '#renderer/language/translate.ts';
import type { RunFormStore } from './run-form-store.ts';

/** Outputs that are calculated while the user fills in the form. The old values stay until the new ones arrive. */
export function ImmediateOutputs({ store }: { store: RunFormStore }) {
  const outputs = useStore(store, (state) => state.live.outputs);
  const isUpdating = useStore(store, (state) => state.live.isUpdating);
  const values = useMemo(
    () =>
      outputs.map((output): ShownValue => ({
        id: output.Id,
        name: output.Name,
        description: output.Description,
        info: output.Info,
        json: output.Value,
        note: '',
        files: [],
        tableToken: null,
      })),
    [outputs],
  );
  return (
    <div aria-busy={isUpdating}>
      <Card title={t('Outputs')} className="rs-immediate-outputs">
        <ValuesView values={values} tone="output" />
      </Card>
    </div>
  );
}
