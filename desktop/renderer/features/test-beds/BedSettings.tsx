import { Button, Callout, Checkbox } from '@blueprintjs/core';
import { Add, FloppyDisk, Trash } from '@blueprintjs/icons';
import { useState } from 'react';
import { saveTestBed, TEST_CHECKS_MAX, testBed, type PropertyCheck, type TestBed } from '#shared/contract/test-beds.ts';
import { parseNumber } from '#shared/codecs/number-text.ts';
import { otherEditOf, toFailure } from '#renderer/api/app-failure.ts';
import { call } from '#renderer/api/client.ts';
import { useServerReason } from '#renderer/api/connection.ts';
import { rich, said, t } from '#renderer/language/translate.ts';
import { editedNumber, neutralNumber } from '#renderer/language/typed-numbers.ts';
import { EditConflict } from '#renderer/ui/edit/EditConflict.tsx';
import { useEdited } from '#renderer/ui/edit/use-edited.ts';
import { TextField } from '#renderer/ui/FormField.tsx';
import { showSuccess } from '#renderer/ui/toaster.tsx';

interface TypedCheck {
  Name: string;
  Expression: string;
  Tolerance: string;
}

const typedCheck = (check: PropertyCheck): TypedCheck => ({ ...check, Tolerance: editedNumber(check.Tolerance) });

/** A tolerance that is no number becomes -1. */
const readCheck = ({ Name, Expression, Tolerance }: TypedCheck): PropertyCheck => ({
  Name: Name.trim(),
  Expression: Expression.trim(),
  Tolerance: Tolerance.trim() === '' ? 0 : (parseNumber(neutralNumber(Tolerance)) ?? -1),
});

const openedOf = ({ MustPass, Checks, Revision }: TestBed) => ({
  fields: { mustPass: MustPass, checks: Checks.map(typedCheck) },
  revision: Revision,
});

/** Settings of a test bed: whether all cases must pass, and checks across their outputs. */
export function BedSettings({ id, bed, onSaved }: { id: number; bed: TestBed; onSaved: () => void }) {
  const edit = useEdited(openedOf(bed), async () => openedOf(await call(testBed, { params: { id } })));
  const { mustPass, checks } = edit.fields;
  const setChecks = (changed: TypedCheck[]): void => edit.setFields((before) => ({ ...before, checks: changed }));
  const [failure, setFailure] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const reason = useServerReason();
  const change = (at: number, part: Partial<TypedCheck>): void =>
    setChecks(checks.map((check, index) => (index === at ? { ...check, ...part } : check)));
  const save = async (): Promise<void> => {
    const Checks = checks.map(readCheck);
    const wrong = Checks.find(({ Name, Expression, Tolerance }) => Name === '' || Expression === '' || Tolerance < 0);
    if (wrong) {
      setFailure(t('Each property check needs a name, an expression and a tolerance of 0 or more'));
      return;
    }
    setBusy(true);
    try {
      await edit.save(async (Revision) => {
        await call(saveTestBed, { body: { ActivityId: id, MustPass: mustPass, Checks, Revision } });
      });
      setFailure(null);
      showSuccess(t('Saved'));
      onSaved();
    } catch (error) {
      setFailure(otherEditOf(error) ? null : toFailure(error).message);
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <Checkbox
        label={t('A new workbook must pass all test cases to be published')}
        checked={mustPass}
        disabled={!bed.CanEdit}
        onChange={({ currentTarget: { checked } }) => edit.setFields((before) => ({ ...before, mustPass: checked }))}
      />
      <h3>{t('Property checks')}</h3>
      <p className="rs-muted">
        {rich(
          'Conditions that the outputs of every test case must meet, written as in Excel, such as <code>SUM(Schedule[Interest]) = Total_Interest</code>.',
          { code: <code /> },
        )}
      </p>
      {checks.map((check, at) => (
        <CheckFields
          key={at}
          number={at + 1}
          check={check}
          canEdit={bed.CanEdit}
          onChange={(part) => change(at, part)}
          onDelete={() => setChecks(checks.toSpliced(at, 1))}
        />
      ))}
      {failure !== null && (
        <Callout intent="danger" role="alert">
          {said(failure)}
        </Callout>
      )}
      <EditConflict edit={edit} isSaving={isBusy} onOverwrite={() => void save()} />
      {bed.CanEdit && (
        <div className="rs-testbed-bar">
          {checks.length < TEST_CHECKS_MAX && (
            <Button
              icon={<Add />}
              text={t('Add check')}
              onClick={() => setChecks([...checks, { Name: '', Expression: '', Tolerance: '0' }])}
            />
          )}
          <Button
            icon={<FloppyDisk />}
            intent="primary"
            text={t('Save rules')}
            loading={isBusy}
            disabled={reason !== undefined}
            title={reason}
            onClick={() => void save()}
          />
        </div>
      )}
    </>
  );
}

interface CheckFieldsProps {
  number: number;
  check: TypedCheck;
  canEdit: boolean;
  onChange: (part: Partial<TypedCheck>) => void;
  onDelete: () => void;
}

function CheckFields({ number, check, canEdit, onChange, onDelete }: CheckFieldsProps) {
  const readOnly = !canEdit;
  return (
    <div className="rs-testbed-check" role="group" aria-label={t('Property check {number}', { number })}>
      <TextField
        label={t('Name')}
        value={check.Name}
        maxLength={100}
        readOnly={readOnly}
        onChange={(Name) => onChange({ Name })}
      />
      <TextField
        label={t('Expression')}
        value={check.Expression}
        maxLength={1000}
        readOnly={readOnly}
        onChange={(Expression) => onChange({ Expression })}
      />
      <TextField
        label={t('Tolerance')}
        value={check.Tolerance}
        inputMode="decimal"
        readOnly={readOnly}
        onChange={(Tolerance) => onChange({ Tolerance })}
      />
      {canEdit && (
        <Button
          icon={<Trash />}
          aria-label={t('Delete property check {number}', { number })}
          title={t('Delete')}
          onClick={onDelete}
        />
      )}
    </div>
  );
}
