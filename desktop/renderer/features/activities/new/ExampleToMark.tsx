import { Button } from '@blueprintjs/core';
import { useQuery } from '@tanstack/react-query';
import { exampleFiles } from '#shared/contract/example-files.ts';
import { queryOf } from '#renderer/api/queries.ts';
import { t } from '#renderer/language/translate.ts';

interface ExampleToMarkProps {
  isDisabled: boolean;
  onOpen: (fileName: string) => void;
}

/** Offers an example workbook for marking to users who have none at hand. */
export function ExampleToMark({ isDisabled, onOpen }: ExampleToMarkProps) {
  const { data, isPending } = useQuery({ ...queryOf(exampleFiles), staleTime: Infinity });
  const example = data?.Items.find(({ IsUnmarked }) => IsUnmarked);
  if (!example && !isPending) return null;
  return (
    // Reserves its space while it loads, so that nothing below it moves.
    <p className="rs-drop-example" style={example ? undefined : { visibility: 'hidden' }}>
      {t('No workbook at hand?')}{' '}
      <Button
        size="small"
        disabled={isDisabled}
        text={t('Open the sample {title}', { title: t('Quote calculator') })}
        onClick={() => example && onOpen(example.FileName)}
      />
    </p>
  );
}
