import { Checkbox, HTMLSelect } from '@blueprintjs/core';
import { OUTCOME_TEXT, RUN_STATUSES, STATUS_TEXT } from '#shared/contract/run-status.ts';
import { TRIGGER_SQL_MAX, type TriggerList } from '#shared/contract/triggers.ts';
import { useActivities } from '#renderer/features/activities/use-activities.ts';
import {
  Choice,
  fieldId,
  NameField,
  OverlapField,
  PausedNote,
  TimeZoneField,
} from '#renderer/features/schedules/additional/schedule-fields.tsx';
import { compareNames } from '#renderer/language/numbers.ts';
import { said, t } from '#renderer/language/translate.ts';
import { FetchFailure } from '#renderer/ui/FetchFailure.tsx';
import { TextField } from '#renderer/ui/FormField.tsx';
import { Card } from '#renderer/ui/Page.tsx';
import { fromEventText, KINDS, typedInput, type TriggerFields } from './trigger-form.ts';

export interface PartProps {
  fields: TriggerFields;
  list: TriggerList;
  write: (change: Partial<TriggerFields>) => void;
  errorOf: (field: string) => string | null;
}

const named = (names: readonly string[], none?: string) => [
  ...(none === undefined ? [] : [{ value: '', label: none }]),
  ...names.map((value) => ({ value, label: value })),
];

export function WhatPart(props: PartProps) {
  const { fields, write, errorOf } = props;
  return (
    <Card title={t('When')}>
      {fields.isPaused && <PausedNote />}
      <NameField value={fields.Name} onChange={(Name) => write({ Name })} error={errorOf('Name')} />
      <Choice
        label={t('It starts when')}
        field="Kind"
        value={fields.Kind}
        options={KINDS}
        onChange={(Kind) => write({ Kind })}
      />
      {fields.Kind === 'File' && <FilePart {...props} />}
      {fields.Kind === 'Ended' && <EndedPart {...props} />}
      {fields.Kind === 'Webhook' && <CallPart {...props} />}
      {fields.Kind === 'Query' && <QueryPart {...props} />}
    </Card>
  );
}

function FilePart({ fields, list, write, errorOf }: PartProps) {
  return (
    <>
      <Choice
        label={t('Folder')}
        field="Folder"
        value={fields.Folder}
        options={named(list.Folders, list.Folders.length === 0 ? t('The server has no folders') : undefined)}
        onChange={(Folder) => write({ Folder })}
        error={errorOf('Folder')}
      />
      <TextField
        id={fieldId('Pattern')}
        label={t('Name of the file')}
        maxLength={255}
        value={fields.Pattern}
        onChange={(Pattern) => write({ Pattern })}
        error={errorOf('Pattern')}
        helper={t('* stands for any characters, ? for one')}
      />
      {list.FileInputs.length > 0 && (
        <Choice
          label={t('Input for the file')}
          field="FileInput"
          value={fields.FileInput}
          options={named(list.FileInputs, t('None'))}
          onChange={(FileInput) => write({ FileInput })}
          error={errorOf('FileInput')}
        />
      )}
    </>
  );
}

const OUTCOMES = RUN_STATUSES.filter((status) => status in OUTCOME_TEXT);

function EndedPart({ fields, write, errorOf }: PartProps) {
  const query = useActivities();
  const { data } = query;
  const sources = [
    ...(data?.Activities ?? []).map(({ Id, Name }) => ({ value: `Activity ${Id}`, label: Name })),
    ...(data?.Checklists ?? []).map(({ Id, Name, IsWorkflow }) => ({
      value: `Checklist ${Id}`,
      label: `${Name} (${IsWorkflow ? t('workflow') : t('checklist')})`,
    })),
  ].toSorted((a, b) => compareNames(a.label, b.label));
  // Without it, the field would look as if nothing were chosen.
  const isListed = fields.source === '' || !data || sources.some(({ value }) => value === fields.source);
  const unlisted = isListed ? [] : [{ value: fields.source, label: t('Not visible to you') }];
  const error = errorOf('Outcomes');
  return (
    <>
      <FetchFailure query={query} text={t('The activities could not be loaded.')} />
      <Choice
        label={t('Run of')}
        field="source"
        value={fields.source}
        options={[{ value: '', label: t('Select…') }, ...sources, ...unlisted]}
        onChange={(source) => write({ source })}
        error={errorOf('source') ?? errorOf('SourceId')}
      />
      <fieldset className="rs-schedule-weekdays" id={fieldId('Outcomes')}>
        <legend className="rs-field-label">{t('Outcomes')}</legend>
        {OUTCOMES.map((status) => (
          <Checkbox
            key={status}
            inline
            label={said(STATUS_TEXT[status])}
            checked={fields.Outcomes.includes(status)}
            onChange={(event) => {
              const others = fields.Outcomes.filter((one) => one !== status);
              write({ Outcomes: event.currentTarget.checked ? [...others, status] : others });
            }}
          />
        ))}
        {error !== null && <div className="rs-field-error">{said(error)}</div>}
      </fieldset>
    </>
  );
}

const SCHEMES = [
  { value: 'Standard', label: t('Standard Webhooks') },
  { value: 'Hub', label: t('GitHub (X-Hub-Signature-256)') },
] as const;

function CallPart({ fields, write }: PartProps) {
  return (
    <Choice
      label={t('Signed as')}
      field="Scheme"
      value={fields.Scheme}
      options={SCHEMES}
      onChange={(Scheme) => write({ Scheme })}
      helper={fields.Id === 0 ? t('The address and the secret are shown after you add the trigger') : undefined}
    />
  );
}

const WHENS = [
  { value: 'NewKey', label: t('A row has a new key (its first value)') },
  { value: 'BecomesTrue', label: t('The first value becomes true') },
] as const;

function QueryPart({ fields, list, write, errorOf }: PartProps) {
  return (
    <>
      <Choice
        label={t('Connection')}
        field="Connection"
        value={fields.Connection}
        options={named(
          list.Connections,
          list.Connections.length === 0 ? t('No connection that you may use') : undefined,
        )}
        onChange={(Connection) => write({ Connection })}
        error={errorOf('Connection')}
      />
      <TextField
        id={fieldId('Sql')}
        label={t('Query')}
        rows={5}
        maxLength={TRIGGER_SQL_MAX}
        value={fields.Sql}
        onChange={(Sql) => write({ Sql })}
        error={errorOf('Sql')}
        helper={t('A single read-only statement')}
      />
      <Choice
        label={t('It starts when')}
        field="When"
        value={fields.When}
        options={WHENS}
        onChange={(When) => write({ When })}
      />
      <TextField
        id={fieldId('Minutes')}
        label={t('Check every')}
        labelInfo={t('minutes')}
        inputMode="numeric"
        value={fields.Minutes}
        onChange={(Minutes) => write({ Minutes })}
        error={errorOf('Minutes')}
      />
    </>
  );
}

export function ValuesPart({ fields, list, write, errorOf }: PartProps) {
  if (list.Inputs.length === 0) return null;
  const event = fromEventText(fields.Kind);
  return (
    <Card title={t('Inputs')}>
      <p className="rs-muted">
        {t(
          'If you leave an input empty, its preset or default value is used. A date can be relative to the day: {examples} …',
          {
            examples: 'today - 1 business day, last month end',
          },
        )}
      </p>
      {list.Inputs.map(({ Name, Kind, IsNeeded }) => {
        const { typed, isFromEvent } = typedInput(fields, Name);
        const isTaken = isFromEvent && event !== null;
        const set = (change: Partial<(typeof fields.inputs)[string]>): void =>
          write({ inputs: { ...fields.inputs, [Name]: { typed, isFromEvent, ...change } } });
        return (
          <div key={Name} className="rs-trigger-input">
            <TextField
              id={fieldId(Name)}
              label={Name}
              labelInfo={Kind === 'Text' ? undefined : said(Kind.toLowerCase())}
              required={IsNeeded}
              maxLength={1000}
              value={isTaken && fields.Kind === 'File' ? '' : typed}
              disabled={isTaken && fields.Kind === 'File'}
              onChange={(text) => set({ typed: text })}
              error={errorOf(Name)}
              helper={
                isTaken
                  ? {
                      Webhook: t('Path in the body, such as /order/id'),
                      Query: t('The name of a column'),
                      File: undefined,
                      Ended: undefined,
                    }[fields.Kind]
                  : undefined
              }
            />
            {event !== null && (
              <HTMLSelect
                aria-label={t('Where {name} comes from', { name: Name })}
                value={isTaken ? 'event' : 'typed'}
                options={[
                  { value: 'typed', label: t('entered here') },
                  { value: 'event', label: event },
                ]}
                onChange={(change) => set({ isFromEvent: change.currentTarget.value === 'event' })}
              />
            )}
          </div>
        );
      })}
    </Card>
  );
}

export function OverlapPart({ fields, write, errorOf }: PartProps) {
  return (
    <Card title={t('Rules')}>
      <OverlapField value={fields.Overlap} onChange={(Overlap) => write({ Overlap })} />
      <TimeZoneField
        value={fields.TimeZone}
        onChange={(TimeZone) => write({ TimeZone })}
        error={errorOf('TimeZone')}
        helper={t('For dates relative to the day')}
      />
    </Card>
  );
}
