import { Button, Checkbox } from '@blueprintjs/core';
import { Error as ErrorIcon } from '@blueprintjs/icons';
import { memo, useMemo, type ReactNode } from 'react';
import { useStore } from 'zustand';
import { useShallow } from 'zustand/react/shallow';
import {
  isFileInput,
  isFixed,
  mayUseDefault,
  valueShape,
  wholeSpecification,
  type FormCell,
  type FormInput,
} from '#shared/codecs/input-form.ts';
import { isLocked } from '#shared/codecs/linked-values.ts';
import type { ActivityType } from '#shared/contract/activities.ts';
import type { Input } from '#shared/contract/parameters.ts';
import { countIssues, isUnconfigured, UNCONFIGURED, type InputIssue } from '#shared/rules/input-rules.ts';
import { displayCell } from '#shared/codecs/cell-text.ts';
import { said, t } from '#renderer/language/translate.ts';
import { AlertList } from './AlertList.tsx';
import { CellField } from '#renderer/ui/CellField.tsx';
import { conditionPicker } from './picker-sources.ts';
import { CheckListField } from '#renderer/ui/picker/CheckListField.tsx';
import { FileField } from './FileField.tsx';
import { fieldWidth, isGrid, isWide } from './field-width.ts';
import { cellKind, suggestionOf } from '#renderer/features/run-form/form-inputs.ts';
import { GridField } from '#renderer/features/run-form/grid/GridField.tsx';
import { issueText } from '#renderer/features/run-form/validation/issue-text.ts';
import { alertsNow, allowedNotes, brokenText, liveIssues } from '#renderer/features/run-form/validation/rule-notes.ts';
import { SampleButton } from './SampleButton.tsx';
import { markChanged } from '#renderer/features/run-form/validation/mark-changed.ts';
import { changeForm, resetForm, type RunFormStore } from '#renderer/features/run-form/run-form-store.ts';
import { usePickers, useRowPickers } from './use-pickers.ts';

const NO_ISSUES: InputIssue[] = [];

export const fieldId = (input: Input): string => `input-${input.Id}`;

/** One input of the form with label, control and issues. */
export const RunInput = memo(function RunInput({
  store,
  input,
  locked,
}: {
  store: RunFormStore;
  input: Input;
  locked: boolean;
}) {
  const form = useStore(store, (state) => state.forms[input.Id]!);
  const issues = useIssues(store, input);
  const id = fieldId(input);
  const fixed = isFixed(input) || isLocked(input) || locked || isUnconfigured(input);
  const isOptional = wholeSpecification(input.Info) === 'Optional' && !fixed;
  const disabled = fixed || (isOptional && form.useDefault);
  const change = (next: Partial<FormInput>): void =>
    changeForm(store, input.Id, { ...form, useDefault: false, ...next });
  const note = inputNote(input, form, store.getState().activity.Type);
  const liveAllowed = useStore(store, (state) => state.live.rules[input.Id]?.allowed ?? '');
  const allowed = useMemo(() => (fixed ? [] : allowedNotes(input.Info, liveAllowed)), [input, fixed, liveAllowed]);
  const alerts = useStore(
    store,
    useShallow((state) => (fixed ? [] : alertsNow(state, input).map(alertText))),
  );
  const messages = issues.length + allowed.length + alerts.length > 0 || note !== '' || input.Description !== '';
  const describedBy = messages ? `${id}-note` : undefined;
  return (
    <div className={isWide(input) ? 'rs-run-input is-wide' : 'rs-run-input'} style={fieldWidth(input)}>
      <div className="rs-field-label">
        <label id={`${id}-label`} htmlFor={id}>
          {input.Name}
        </label>
        <span className="rs-field-info">{labelInfo(input, fixed)}</span>
      </div>
      {isOptional && (
        <Checkbox
          label={t('Specify value explicitly')}
          aria-describedby={`${id}-label`}
          checked={!form.useDefault}
          onChange={(event) => change({ useDefault: !event.currentTarget.checked })}
        />
      )}
      <Control
        store={store}
        input={input}
        form={form}
        issues={issues}
        fixed={fixed}
        disabled={disabled}
        describedBy={describedBy}
        onChange={change}
      />
      {input.Info.SampleFilePath !== null && !fixed && <SampleButton input={input} origin={store.getState().origin} />}
      {!fixed && <Suggestion store={store} input={input} form={form} />}
      {messages && (
        <div id={`${id}-note`}>
          {issues.length > 0 && !isGrid(input) && <IssueList issues={issues} />}
          {alerts.length > 0 && <AlertList alerts={alerts} />}
          {allowed.length > 0 && <div className="rs-field-helper">{allowed.join(' · ')}</div>}
          {input.Description !== '' && <div className="rs-field-helper rs-input-description">{input.Description}</div>}
          {note !== '' && <div className="rs-field-helper">{note}</div>}
        </div>
      )}
    </div>
  );
});

/**
 * Returns the issues of the last refused start. If there are none left, it returns the issues that the server has found
 * since.
 */
function useIssues(store: RunFormStore, input: Input): readonly InputIssue[] {
  const own = useStore(store, (state) => state.issues[input.Id] ?? NO_ISSUES);
  // Compare as text, because each response creates new objects for the same issues.
  const live = useStore(store, (state) =>
    state.attempt > 0 && own.length === 0
      ? JSON.stringify(liveIssues(state, input, (alert) => alert === 'Stop'))
      : '[]',
  );
  return useMemo(() => (own.length > 0 || live === '[]' ? own : (JSON.parse(live) as InputIssue[])), [own, live]);
}

interface ControlProps {
  store: RunFormStore;
  input: Input;
  form: FormInput;
  issues: readonly InputIssue[];
  /** True if this form never allows changing the input. */
  fixed: boolean;
  /** True if the input cannot be changed at the moment. */
  disabled: boolean;
  describedBy: string | undefined;
  onChange: (form: Partial<FormInput>) => void;
}

function Control({ store, input, form, issues, fixed, disabled, describedBy, onChange }: ControlProps): ReactNode {
  const { Info } = input;
  const id = fieldId(input);
  const names = { id, labelledBy: `${id}-label`, describedBy };
  // One source per column for the lifetime of the form. A new source would refetch the list.
  const pickers = usePickers(store, input);
  const rowPickerAt = useRowPickers(store, input);
  const live = useStore(store, (state) => state.live.inputs[input.Id]);
  const attempt = useStore(store, (state) => state.attempt);
  if (isFileInput(Info)) {
    return (
      <FileField
        {...names}
        store={store}
        input={input}
        files={form.files}
        disabled={disabled}
        onChange={(files) => onChange({ files })}
      />
    );
  }
  if (valueShape(Info) === 'cell') {
    return (
      <CellField
        field={{
          id,
          intent: issues.length > 0 ? 'danger' : 'none',
          'aria-describedby': describedBy,
          'aria-invalid': issues.length > 0 || undefined,
          'aria-required': isRequired(input) || undefined,
        }}
        label={input.Name}
        kind={cellKind(Info, 0, 0)}
        value={form.value as FormCell}
        picker={pickers[0] ?? null}
        broken={brokenText(input, form)}
        condition={conditionPicker(store.getState().activity, input, 0, store.getState().origin)}
        disabled={disabled && !fixed}
        readOnly={fixed}
        onChange={(value) => onChange({ value })}
      />
    );
  }
  if (Info.Display === 'CheckBoxList' && valueShape(Info) === 'list' && pickers[0]) {
    return (
      <CheckListField
        {...names}
        kind={cellKind(Info, 0, 0)}
        value={form.value as FormCell[]}
        source={pickers[0]}
        disabled={disabled}
        onChange={(value) => onChange({ value })}
      />
    );
  }
  return (
    <GridField
      {...names}
      input={input}
      value={form.value}
      issues={issues}
      attempt={attempt}
      disabled={disabled}
      live={live}
      pickerAt={(index, row) => (Info.Pickers[index]?.PerRow ? rowPickerAt(index, row) : (pickers[index] ?? null))}
      onChange={(value) => onChange({ value })}
      onCellsChanged={(isChanged) => markChanged(store, input, isChanged)}
    />
  );
}

const isRequired = (input: Input): boolean =>
  wholeSpecification(input.Info) === 'Required' && !input.Info.Blanks[0] && !input.Info.AllowDefaultValue;

function labelInfo(input: Input, fixed: boolean): string {
  if (input.PresetValue !== null) return t('Preset');
  if (fixed) return t('Read-only');
  const specification = wholeSpecification(input.Info);
  if (specification === 'Optional' || specification === 'Suggested') return said(specification);
  return isRequired(input) ? t('Required') : '';
}

/** Returns information that the control alone does not show. */
function inputNote(input: Input, form: FormInput, type: ActivityType): string {
  if (input.PresetValueError !== null) return input.PresetValueError;
  if (isUnconfigured(input)) return UNCONFIGURED;
  const isBlank = form.value === null || form.value === '' || (Array.isArray(form.value) && form.value.length === 0);
  if (!isFixed(input) && mayUseDefault(input.Info) && (form.useDefault || (isBlank && form.files.length === 0))) {
    if (input.WorkflowDefault === 'Constant') return t('The default of the workflow will be used.');
    if (input.WorkflowDefault === 'Expression') return t('The workflow calculates it when it starts.');
    if (type === 'StoredProcedure') return t('The default of the procedure will be used.');
    return hasCalculatedWhole(input) ? t('Calculated by the workbook.') : t('The value of the workbook will be used.');
  }
  const isText = valueShape(input.Info) === 'cell' && input.Info.CellUsages[0] === 'Text';
  if (type === 'StoredProcedure' && isText && isBlank && input.Info.Blanks[0] && !isFixed(input))
    return t("If left blank, the value is NULL; enter '' for an empty text.");
  return '';
}

const hasCalculatedWhole = ({ Info }: Input): boolean => Info.CellUsages.length === 1 && Info.Calculated?.[0] === true;

function Suggestion({ store, input, form }: { store: RunFormStore; input: Input; form: FormInput }) {
  const live = useStore(store, (state) => state.live.inputs[input.Id]?.whole);
  const suggestion = useMemo(() => suggestionOf(input, live), [input, live]);
  if (suggestion === null || form.useDefault) return null;
  const text = Array.isArray(suggestion)
    ? t('{count, plural, one {# row} other {# rows}} of the workbook', { count: suggestion.length })
    : displayCell(suggestion, cellKind(input.Info, 0, 0)) || 'blank';
  return (
    <div>
      <Button
        variant="minimal"
        size="small"
        intent="primary"
        text={t('Use suggestion: {text}', { text })}
        onClick={() => resetForm(store, input)}
      />
    </div>
  );
}

/** Lists up to five issues and counts the rest. Issues of cells name their row. */
function IssueList({ issues }: { issues: readonly InputIssue[] }) {
  const shown = issues.filter(({ more }) => more === undefined).slice(0, 5);
  const others = countIssues(issues) - shown.length;
  return (
    <>
      {shown.map((issue, index) => (
        <div className="rs-field-error" key={index}>
          <ErrorIcon size={13} title={false} />
          <span>
            {issue.title !== undefined && <strong>{issue.title}: </strong>}
            {issueText(issue)}
          </span>
        </div>
      ))}
      {others > 0 && <div className="rs-field-error">{t('and {others} more', { others })}</div>}
    </>
  );
}

const alertText = (issue: InputIssue): string =>
  issue.title === undefined ? issueText(issue) : `${issue.title}: ${issueText(issue)}`;
