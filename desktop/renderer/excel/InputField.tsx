import { useState } from 'react';
import { isFileInput, valueShape } from '#shared/codecs/input-form.ts';
import { picker } from '#shared/contract/activities.ts';
import type { Input } from '#shared/contract/parameters.ts';
import { t } from '#renderer/language/translate.ts';
import { useSuggestionKeys } from '#renderer/ui/use-suggestion-keys.ts';
import { defaultRows, defaultText, fieldOfSelection, kindText, SelectionError, type Field } from './fields.ts';
import { has } from './office.ts';
import { Button, Labelled, Problem } from './parts.tsx';
import { client } from './session.ts';
import { useTask } from './use-task.ts';
import { openWorkbook, readSelection } from './workbook.ts';

interface InputFieldProps {
  activityId: number;
  input: Input;
  isFixed: boolean;
  /** Null if no value was supplied. */
  field: Field | null;
  change: (field: Field | null) => void;
}

/** An input whose value is typed, taken from the selected cells, or a file. */
export function InputField({ activityId, input, isFixed, field, change }: InputFieldProps) {
  const { Name, Description, Info } = input;
  const id = `rs-input-${input.Id}`;
  const selection = useTask();
  const take = (): void =>
    void selection.run(
      async () => change(fieldOfSelection(input, await readSelection())),
      (error) => {
        if (!(error instanceof SelectionError)) return false;
        selection.setProblem(error.message);
        return true;
      },
    );
  const takesFiles = isFileInput(Info);
  return (
    <Labelled label={Name} kind={kindText(Info)} id={id} hint={Description}>
      <div className="rs-pane-beside">
        {isFixed ? (
          <input id={id} value={defaultText(input)} placeholder={t('fixed')} disabled />
        ) : field?.kind === 'cells' ? (
          <Taken id={id} field={field} remove={() => change(null)} />
        ) : takesFiles ? (
          <Files id={id} isList={valueShape(Info) !== 'cell'} field={field} change={change} />
        ) : (
          <Typed id={id} activityId={activityId} input={input} field={field} change={change} />
        )}
        {!isFixed && !takesFiles && (
          <Button
            disabled={selection.isBusy}
            onClick={take}
            title={t('Use the selected cells')}
            aria-label={t('Use selection for {name}', { name: Name })}
          >
            {t('Use selection')}
          </Button>
        )}
      </div>
      <Problem text={selection.problem} />
    </Labelled>
  );
}

function Taken({ id, field, remove }: { id: string; field: Field & { kind: 'cells' }; remove: () => void }) {
  const { shown, address, rows, columns } = field;
  const text =
    shown === null ? t('{address}: {rows} × {columns} cells', { address, rows, columns }) : `${shown} (${address})`;
  return (
    <>
      <input id={id} value={text} readOnly />
      <Button onClick={remove} aria-label={t('Remove {address}', { address })}>
        ×
      </Button>
    </>
  );
}

interface TypedProps {
  id: string;
  activityId: number;
  input: Input;
  field: Field | null;
  change: (field: Field | null) => void;
}

function Typed({ id, activityId, input, field, change }: TypedProps) {
  const { Info } = input;
  const [choices, setChoices] = useState<string[]>([]);
  const text = field?.kind === 'text' ? field.text : '';
  const set = (next: string): void => change(next === '' ? null : { kind: 'text', text: next });
  const keys = useSuggestionKeys(text, choices, set);
  if (valueShape(Info) !== 'cell') {
    const rows = defaultRows(input) ?? 0;
    const placeholder =
      rows > 0
        ? t('{count, plural, one {# row} other {# rows}} of the workbook', { count: rows })
        : t('Rows, with tabs between cells');
    return <textarea id={id} rows={3} value={text} placeholder={placeholder} onChange={(e) => set(e.target.value)} />;
  }
  const standard = defaultText(input);
  if (Info.CellUsages[0] === 'Boolean') {
    return (
      <select id={id} value={text} onChange={(event) => set(event.target.value)}>
        <option value="">{standard === 'TRUE' ? t('Yes (as in the workbook)') : t('No (as in the workbook)')}</option>
        <option value="yes">{t('Yes')}</option>
        <option value="no">{t('No')}</option>
      </select>
    );
  }
  const hasChoices = Info.Pickers[0] !== undefined && !['None', 'Condition'].includes(Info.Pickers[0].Type);
  const find = (): void => {
    if (!hasChoices || choices.length > 0) return;
    const params = { activityId, inputId: input.Id, index: 0 };
    // Without choices, the user types a value; the start refuses invalid ones.
    client.call(picker, { params, body: {} }).then(
      ({ Items }) => setChoices(Items.map(({ Value }) => Value)),
      () => undefined,
    );
  };
  return (
    <>
      <input
        {...keys}
        id={id}
        value={text}
        placeholder={standard}
        autoComplete="off"
        list={hasChoices ? `${id}-choices` : undefined}
        onFocus={find}
        onChange={(event) => set(event.target.value)}
      />
      {hasChoices && (
        <datalist id={`${id}-choices`}>
          {choices.map((choice) => (
            <option key={choice} value={choice} />
          ))}
        </datalist>
      )}
    </>
  );
}

interface FilesProps {
  id: string;
  isList: boolean;
  field: Field | null;
  change: (field: Field | null) => void;
}

function Files({ id, isList, field, change }: FilesProps) {
  const task = useTask();
  const files = field?.kind === 'files' ? field.files : [];
  const add = (fresh: { name: string; content: Blob }[]): void => {
    if (fresh.length > 0) change({ kind: 'files', files: isList ? [...files, ...fresh] : fresh });
  };
  return (
    <div className="rs-pane-files">
      <input
        id={id}
        type="file"
        multiple={isList}
        onChange={(event) => add([...(event.target.files ?? [])].map((file) => ({ name: file.name, content: file })))}
      />
      {has('file') && (
        <Button disabled={task.isBusy} onClick={() => void task.run(async () => add([await openWorkbook()]))}>
          {t('This workbook')}
        </Button>
      )}
      {files.map(({ name }, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- two files may have one name
        <div key={at} className="rs-pane-break">
          {name}{' '}
          <Button
            variant="link"
            aria-label={t('Remove {address}', { address: name })}
            onClick={() => change(files.length === 1 ? null : { kind: 'files', files: files.toSpliced(at, 1) })}
          >
            ×
          </Button>
        </div>
      ))}
      <Problem text={task.problem} />
    </div>
  );
}
