import { Callout, Checkbox, Dialog, DialogBody, HTMLSelect } from '@blueprintjs/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { tileSources, TILE_TEXT_MAX, TILE_TITLE_MAX, type Tile, type TileKind } from '#shared/contract/dashboards.ts';
import { queryOf } from '#renderer/api/queries.ts';
import { useActivities } from '#renderer/features/activities/use-activities.ts';
import { compareNames, numberText } from '#renderer/language/numbers.ts';
import { said, t } from '#renderer/language/translate.ts';
import { FetchFailure } from '#renderer/ui/FetchFailure.tsx';
import { FormDialogFooter } from '#renderer/ui/FormDialogFooter.tsx';
import { FormField, TextField } from '#renderer/ui/FormField.tsx';
import { fieldsOf, NEW_TILE, readTile, RUNS_OF, withKind, type TileFields } from './tile-fields.ts';
import { KIND_TEXTS } from './tile-texts.ts';

interface TileDialogProps {
  /** Null for a new tile. */
  tile: Tile | null;
  tiles: readonly Tile[];
  onDone: (tile: Tile) => void;
  onClose: () => void;
}

interface PartProps {
  fields: TileFields;
  write: (changed: Partial<TileFields>) => void;
}

export function TileDialog({ tile, tiles, onDone, onClose }: TileDialogProps) {
  const [fields, setFields] = useState(() => (tile ? fieldsOf(tile) : NEW_TILE));
  const [issue, setIssue] = useState<string | null>(null);
  const write = (changed: Partial<TileFields>): void => setFields((before) => ({ ...before, ...changed }));
  const bounds = RUNS_OF[fields.Kind];
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const read = readTile(fields, tile, tiles);
    if ('issue' in read) setIssue(read.issue);
    else onDone(read.tile);
  };
  return (
    <Dialog isOpen title={tile ? t('Edit tile') : t('New tile')} onClose={onClose}>
      <form onSubmit={submit} noValidate>
        <DialogBody>
          <FormField label={t('Content')}>
            {({ id }) => (
              <HTMLSelect
                id={id}
                fill
                value={fields.Kind}
                options={(Object.keys(KIND_TEXTS) as TileKind[]).map((value) => ({ value, label: KIND_TEXTS[value] }))}
                onChange={({ currentTarget: { value } }) => setFields((before) => withKind(before, value as TileKind))}
              />
            )}
          </FormField>
          <SourceFields fields={fields} write={write} />
          {bounds && (
            <TextField
              label={t('Runs')}
              inputMode="numeric"
              value={fields.runs}
              onChange={(runs) => write({ runs })}
              helper={t('Number of latest runs: {least} to {most}', {
                least: bounds[0],
                most: numberText(bounds[1]),
              })}
            />
          )}
          {fields.Kind === 'Outcomes' && (
            <Checkbox
              label={t('Only runs that a schedule started')}
              checked={fields.scheduled}
              onChange={({ currentTarget }) => write({ scheduled: currentTarget.checked })}
            />
          )}
          {fields.Kind === 'Text' && (
            <TextField
              label={t('Text')}
              rows={6}
              maxLength={TILE_TEXT_MAX}
              value={fields.text}
              onChange={(text) => write({ text })}
            />
          )}
          <TextField
            label={t('Title')}
            labelInfo={t('optional')}
            maxLength={TILE_TITLE_MAX}
            value={fields.title}
            onChange={(title) => write({ title })}
          />
          {issue !== null && (
            <Callout intent="danger" role="alert">
              {said(issue)}
            </Callout>
          )}
        </DialogBody>
        <FormDialogFooter text={tile ? t('Apply') : t('Add')} onCancel={onClose} />
      </form>
    </Dialog>
  );
}

function SourceFields({ fields, write }: PartProps) {
  const query = useActivities();
  const { data } = query;
  if (fields.Kind === 'Approvals' || fields.Kind === 'Text') return null;
  const activities = (data?.Activities ?? []).map(({ Id, Name }) => ({ value: `a${Id}`, label: Name }));
  const checklists = (data?.Checklists ?? []).map(({ Id, Name, IsWorkflow }) => ({
    value: `c${Id}`,
    label: `${Name} (${IsWorkflow ? t('workflow') : t('checklist')})`,
  }));
  const offered = fields.Kind === 'Outcomes' ? [...activities, ...checklists] : activities;
  const named = offered.some(({ value }) => value === fields.source);
  const options = [{ value: '', label: t('Choose') }, ...offered.toSorted((a, b) => compareNames(a.label, b.label))];
  return (
    <>
      <FetchFailure query={query} text={t('The activities could not be loaded.')} />
      <FormField label={fields.Kind === 'Outcomes' ? t('Activity or checklist') : t('Activity')}>
        {({ id }) => (
          <HTMLSelect
            id={id}
            fill
            value={fields.source}
            options={
              named || fields.source === ''
                ? options
                : [...options, { value: fields.source, label: t('Not visible to you') }]
            }
            onChange={({ currentTarget: { value } }) => write({ source: value, output: '' })}
          />
        )}
      </FormField>
      {fields.Kind !== 'Outcomes' && fields.source !== '' && <OutputField fields={fields} write={write} />}
    </>
  );
}

function OutputField({ fields, write }: PartProps) {
  const id = Number(fields.source.slice(1));
  const { data, error } = useQuery({ ...queryOf(tileSources, { params: { id } }), staleTime: 60_000 });
  const offered = (data?.Outputs ?? []).filter(({ IsTable, IsNumber }) =>
    fields.Kind === 'Table' ? IsTable : fields.Kind === 'Plot' ? IsNumber : !IsTable,
  );
  const options = offered.map(({ Id, Name }) => ({ value: String(Id), label: Name }));
  return (
    <FormField
      label={t('Output')}
      error={error ? error.message : data && offered.length === 0 ? t('The activity has no such output') : null}
    >
      {({ id: control, ...field }) => (
        <HTMLSelect
          id={control}
          aria-describedby={field['aria-describedby']}
          fill
          value={fields.output}
          options={[{ value: '', label: t('Choose') }, ...options]}
          onChange={({ currentTarget: { value } }) => write({ output: value })}
        />
      )}
    </FormField>
  );
}
